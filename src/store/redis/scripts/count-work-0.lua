--[[
  Counts what is left to do for gateways. Reads only.

  ARGV[1] the seal of the audit      ARGV[2] requests to look at, at most

  Returns { open requests without any card, cards of ended requests that do not show it yet, ms since the oldest row of
  the audit that is not sealed was written }.
]]
-- @include keys codes now state
local without_card, unsettled = 0, 0
for _, id in ipairs(redis.call('ZRANGE', WORK, 0, tonumber(ARGV[2]) - 1)) do
  local state = state_of(id)
  local cards = state and call_or(0, 'LLEN', request_key(id, 'cards')) or 0
  if state and state.status == 'open' and cards == 0 then without_card = without_card + 1 end
  if state and state.status == 'ended' then
    unsettled = unsettled + math.max(0, cards - call_or(0, 'SCARD', request_key(id, 'settled')))
  end
end
local sealed = redis.call('HGET', ARGV[1], 'id')
local oldest = redis.call('XRANGE', AUDIT, sealed and '(' .. sealed or '-', '+', 'COUNT', 1)[1]
local waiting = 0
if oldest then waiting = math.max(0, now_ms() - tonumber(string.match(oldest[1], '^%d+'))) end
return { without_card, unsettled, waiting }
