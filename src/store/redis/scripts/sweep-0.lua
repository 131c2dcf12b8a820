--[[
  Ends what nobody else will: requests of owners whose lease is lost, and what its owner left open long after its
  deadline. A part at a time, so that the server is not kept from others; call it until it returns no ids.

  ARGV[1] '1' to judge owners by their leases

  Returns { code, ids, error? }: done, audit_failed (what was ended before stands).
]]
-- @include keys codes limits now state audit moves
local MOST = 50
local now = now_ms()
local ended = {}

-- Returns the reply when it cannot be done.
local function end_as(state, kind, outcome)
  local reply = end_and_show_next(state, now, kind, outcome, choice_of(state.id), {})
  if reply.err then return reply end
  if reply[1] ~= CODES.done then return { reply[1], ended, reply[3] } end
  ended[#ended + 1] = state.id
  return nil
end

local lost = {}
if ARGV[1] == '1' then lost = redis.call('ZRANGEBYSCORE', OWNERS, '-inf', whole(now), 'LIMIT', 0, 20) end
for _, owner in ipairs(lost) do
  local key = owners_requests_key(owner)
  local queued, others = {}, {}
  for _, id in ipairs(redis.call('SMEMBERS', key)) do
    local state = state_of(id)
    if not state or state.status == 'ended' then
      redis.call('SREM', key, id)
    elseif state.status == 'queued' then
      queued[#queued + 1] = state
    else
      others[#others + 1] = state
    end
  end
  -- The queued ones first, so that none of them opens because the one before it ended.
  for _, states in ipairs({ queued, others }) do
    for _, state in ipairs(states) do
      if #ended >= MOST then return { CODES.done, ended } end
      local failure = end_as(state, 'owner_lost', '{"kind":"owner_lost"}')
      if failure then return failure end
    end
  end
  redis.call('ZREM', OWNERS, owner)
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', DUE, '-inf', whole(now), 'LIMIT', 0, MOST - #ended)) do
  local state = state_of(id)
  local failure = nil
  if not state or state.status == 'ended' then
    redis.call('ZREM', DUE, id)
    redis.call('ZREM', UNFINISHED, id)
    redis.call('ZREM', WORK, id)
  elseif state.status == 'claimed' then
    failure = end_as(state, 'indeterminate', '{"kind":"indeterminate"}')
  else
    local shown, waited = 'true', state.wait
    if state.status == 'queued' then shown, waited = 'false', QUEUE_FACTOR * state.wait end
    local outcome = '{"kind":"timed_out","shown":' .. shown .. ',"waitedMs":' .. whole(waited) .. '}'
    failure = end_as(state, 'timed_out', outcome)
  end
  if failure then return failure end
end
return { CODES.done, ended }
