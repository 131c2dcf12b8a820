--[[
  Grants that are good right now, in the order in which they were granted. Takes those off the list that are not there
  any more.

  ARGV[1] session id, or '' for all    ARGV[2] most to return

  Returns a list of { request id, grant }.
]]
-- @include keys codes limits now state grants
local list = GRANTS
if ARGV[1] ~= '' then list = session_key(ARGV[1], 'grants') end
local now, found = now_ms(), {}
for _, id in ipairs(call_or({}, 'ZRANGE', list, 0, -1)) do
  local grant = grant_of(id)
  if not grant then
    redis.call('ZREM', list, id)
  elseif not grant_is_over(id) and not (grant.ends_at and now >= grant.ends_at) then
    found[#found + 1] = { id, grant_snapshot(id) }
    if #found >= tonumber(ARGV[2]) then return found end
  end
end
return found
