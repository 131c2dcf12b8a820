--[[
  KEYS[1] the draft
  ARGV[1] request id

  Returns { revision, body }, or false when there is none or the request is not open (any more).
]]
-- @include keys codes now state
local state = state_of(ARGV[1])
if not state or state.status ~= 'open' or state.deadline <= now_ms() then return false end
local draft = redis.call('HMGET', KEYS[1], 'revision', 'body')
if not draft[1] then return false end
return draft
