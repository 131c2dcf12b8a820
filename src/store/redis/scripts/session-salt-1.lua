--[[
  What a session's digests are salted with: the first that was proposed.

  KEYS[1] the salt
  ARGV[1] a fresh one    ARGV[2] ms to keep it from now on

  Returns the salt.
]]
local known = redis.call('GET', KEYS[1])
if not known then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return ARGV[1]
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return known
