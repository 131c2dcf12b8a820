--[[
  Makes sure that an `open` of which nobody knows whether it arrived does not take effect later. Does nothing to a
  request that exists.

  KEYS[1] the request        KEYS[2] its close
  ARGV[1] id                 ARGV[2] ms to keep the bar

  Returns { code, snapshot }: done (it exists), not_found (it does not, and never will; or it is damaged).
]]
-- @include keys codes now state
local id = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 1 then
  local found = snapshot(id)
  return { found and CODES.done or CODES.not_found, found }
end
redis.call('HSET', KEYS[2], 'kind', 'cancelled', 'outcome', '{"kind":"cancelled"}', 'at', whole(now_ms()))
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return { CODES.not_found, false }
