--[[
  Ends what nobody else will: requests of owners whose lease is lost, and what its owner left open long after its
  deadline. A part at a time, so that the server is not kept from others; call it until it returns no ids. What is
  damaged is taken off the lists, so that it keeps nobody else's request from its end.

  ARGV[1] '1' to judge owners by their leases

  Returns { code, ids, damaged, error? }: done, audit_failed (what was ended before stands). `damaged`: pairs of an id
  and what is wrong with it.
]]
-- @include keys codes limits now state audit moves
local MOST = 50
local DAMAGED = 'what is stored is not a request'
local now = now_ms()
local ended, damaged = {}, {}

local function is_full() return #ended + #damaged >= MOST end

local function forget(id)
  for _, list in ipairs({ DUE, UNFINISHED, WORK }) do redis.call('ZREM', list, id) end
end

local function set_aside(id, why)
  forget(id)
  damaged[#damaged + 1] = { id, why }
end

-- The server's own state (READONLY, NOPERM, OOM, ...) rather than this request's: no other one could be ended either,
-- and all can be later. Errors of Lua begin with a place in the script; those about data with WRONGTYPE or ERR. Redis
-- 7.0 has no NOPERM in scripts, but a sentence.
local function is_of_server(failure)
  if string.find(failure, 'The user executing the script', 1, true) then return true end
  local code = string.match(failure, '^%u+')
  return code and code ~= 'WRONGTYPE' and code ~= 'ERR'
end

-- Returns the reply when the sweep cannot go on.
local function end_as(state, kind, outcome)
  local did, reply = pcall(function()
    return end_and_show_next(state, now, kind, outcome, choice_of(state.id), {})
  end)
  if not did then
    -- Text or a table, by the server's version.
    local why = type(reply) == 'table' and reply.err or tostring(reply)
    if is_of_server(why) then return { err = why } end
    set_aside(state.id, why)
    return nil
  end
  if reply.err then return reply end
  if reply[1] ~= CODES.done then return { reply[1], ended, damaged, reply[3] } end
  ended[#ended + 1] = state.id
  return nil
end

local lost = {}
if ARGV[1] == '1' then lost = redis.call('ZRANGEBYSCORE', OWNERS, '-inf', whole(now), 'LIMIT', 0, 20) end
for _, owner in ipairs(lost) do
  local key = owners_requests_key(owner)
  local queued, others = {}, {}
  -- Not a set: its requests end when they are due.
  for _, id in ipairs(call_or({}, 'SMEMBERS', key)) do
    if is_full() then return { CODES.done, ended, damaged } end
    local state = state_of(id)
    if not state or state.status == 'ended' then
      redis.call('SREM', key, id)
      if is_damaged(id) then set_aside(id, DAMAGED) end
    elseif state.status == 'queued' then
      queued[#queued + 1] = state
    else
      others[#others + 1] = state
    end
  end
  -- The queued ones first, so that none of them opens because the one before it ended.
  for _, states in ipairs({ queued, others }) do
    for _, state in ipairs(states) do
      if is_full() then return { CODES.done, ended, damaged } end
      local failure = end_as(state, 'owner_lost', '{"kind":"owner_lost"}')
      if failure then return failure end
    end
  end
  redis.call('ZREM', OWNERS, owner)
end

for _, id in ipairs(redis.call('ZRANGEBYSCORE', DUE, '-inf', whole(now), 'LIMIT', 0, MOST - #ended - #damaged)) do
  local state = state_of(id)
  local failure = nil
  if is_damaged(id) then
    set_aside(id, DAMAGED)
  elseif not state or state.status == 'ended' then
    forget(id)
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
return { CODES.done, ended, damaged }
