-- Moving requests. Plan first (next_in_line), then append the rows, then apply: a refused row leaves all as it was.

local function wake(state, gateways_too)
  redis.call('PUBLISH', owner_channel(state.owner), state.id)
  if gateways_too then redis.call('PUBLISH', REQUESTS_CHANNEL, state.id) end
end

-- The request of the session that may open once `leaving` (an id, or nil) has ended; `joining` (a state, or nil)
-- stands at the end of the line. While another one is shown, none may. One whose time in the line is over is passed by.
local function next_in_line(session, leaving, joining, now)
  local shown = call_or(false, 'GET', session_key(session, 'shown'))
  if shown and shown ~= leaving then
    local state = state_of(shown)
    if state and state.status ~= 'ended' then return nil end
  end
  local at, step = 0, 20
  while true do
    local ids = call_or({}, 'LRANGE', session_key(session, 'queue'), at, at + step - 1)
    for _, id in ipairs(ids) do
      local state = id ~= leaving and state_of(id)
      if state and state.status == 'queued' and state.queueDeadline > now then return state end
    end
    if #ids < step then break end
    at = at + step
  end
  return joining
end

-- Outside its session's line.
local function open_now(state, now)
  local deadline = now + state.wait
  redis.call('HSET', request_key(state.id, 'req'), 'shownAt', whole(now), 'deadline', whole(deadline))
  redis.call('ZADD', DUE, whole(deadline + OVERDUE_AFTER_MS), state.id)
  redis.call('ZADD', WORK, whole(now), state.id)
  wake(state, true)
end

local function show(state, now)
  call_or(0, 'LREM', session_key(state.session, 'queue'), 1, state.id)
  redis.call('SET', session_key(state.session, 'shown'), state.id, 'PX', INDEX_MS)
  open_now(state, now)
end

-- `outcome`: JSON, or '' when it is the verdict's own, delivered and confirmed.
local function finish(state, now, kind, outcome)
  local close = request_key(state.id, 'close')
  redis.call('HSET', close, 'kind', kind, 'outcome', outcome, 'at', whole(now))
  redis.call('PEXPIRE', close, redis.call('PTTL', request_key(state.id, 'req')))
  if call_or(false, 'GET', session_key(state.session, 'shown')) == state.id then
    redis.call('DEL', session_key(state.session, 'shown'))
  end
  call_or(0, 'LREM', session_key(state.session, 'queue'), 1, state.id)
  if call_or(false, 'HGET', session_key(state.session, 'pending'), state.pending) == state.id then
    redis.call('HDEL', session_key(state.session, 'pending'), state.pending)
  end
  redis.call('ZREM', UNFINISHED, state.id)
  redis.call('ZREM', DUE, state.id)
  call_or(0, 'SREM', owners_requests_key(state.owner), state.id)
  -- Without a card there is nothing to settle, unless a post got lost on the way.
  if
    redis.call('EXISTS', request_key(state.id, 'cards')) == 1
    or redis.call('EXISTS', request_key(state.id, 'posting')) == 1
  then
    redis.call('ZADD', WORK, whole(now), state.id)
  else
    redis.call('ZREM', WORK, state.id)
  end
  wake(state, true)
end

-- Ends one request and opens the next of its session. `rows`: rows that come before its end. Returns the reply.
local function end_and_show_next(state, now, kind, outcome, extra, rows)
  local following = next_in_line(state.session, state.id, nil, now)
  rows[#rows + 1] = row(now, 'ended', state.id, state, extra .. '"outcome":"' .. kind .. '"')
  if following then rows[#rows + 1] = row(now, 'shown', following.id, following, '') end
  local failure = append_rows(rows)
  if failure then return audit_failed(failure, state.id) end
  finish(state, now, kind, outcome)
  if following then show(following, now) end
  return { CODES.done, snapshot(state.id) }
end

-- Who chose, as a row says it, with a comma behind; '' while nobody has.
local function choice_of(id)
  local choice = call_or(false, 'HGET', request_key(id, 'verdict'), 'choice')
  if not choice then return '' end
  return choice .. ','
end
