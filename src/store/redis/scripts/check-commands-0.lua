--[[
  Says which commands the user of this connection may run, by the server's own rules. Runs none of them.

  ARGV    commands, each a JSON list of its name and arguments, all of them strings

  Returns a list of 1 (may) and 0 (may not), in the order of ARGV.
]]
local answers = {}
for at, command in ipairs(ARGV) do
  answers[at] = redis.acl_check_cmd(unpack(cjson.decode(command))) and 1 or 0
end
return answers
