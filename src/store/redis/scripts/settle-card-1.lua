--[[
  Notes that a card shows the end of its request, once: two gateways may have settled it. When all of them do, and
  no post of it is in doubt, gateways have nothing left to do for it.

  KEYS[1] the request's settled cards
  ARGV[1] id      ARGV[2] what tells the card from others      ARGV[3] members of its row

  Returns { code, false, error? }: done (also for a request that is not known), audit_failed.
]]
-- @include keys codes now state audit posts
local id = ARGV[1]
local state = state_of(id)
if redis.call('SISMEMBER', KEYS[1], ARGV[2]) == 0 then
  local failure = append_rows({ row(now_ms(), 'card_settled', id, state, ARGV[3]) })
  if failure then return audit_failed(failure, id) end
  if not state then return { CODES.done, false } end
  redis.call('SADD', KEYS[1], ARGV[2])
  redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', request_key(id, 'req')))
end
if not state then return { CODES.done, false } end
rest_when_settled(id, state)
return { CODES.done, false }
