--[[
  Takes a request off the list of work, unless it has moved on.

  ARGV[1] id    ARGV[2] the status in which nothing is left to do

  Returns { code, false }: done, stale.
]]
-- @include keys codes state
local state = state_of(ARGV[1])
if state and state.status ~= ARGV[2] then return { CODES.stale, false } end
redis.call('ZREM', WORK, ARGV[1])
return { CODES.done, false }
