-- Reading requests. Status is never stored: it follows from which keys exist.

-- Whole numbers as text: Lua's own conversion turns to 1.2e+15 at 15 digits.
local function whole(number)
  return string.format('%.0f', number)
end

-- The facts scripts decide by, or nil when there is no such request.
local function state_of(id)
  local fields = redis.call(
    'HMGET', request_key(id, 'req'), 'session', 'owner', 'pending', 'wait', 'queueDeadline', 'shownAt', 'deadline'
  )
  if not fields[1] then return nil end
  local status = 'queued'
  if redis.call('EXISTS', request_key(id, 'close')) == 1 then
    status = 'ended'
  elseif redis.call('EXISTS', request_key(id, 'verdict')) == 1 then
    status = 'claimed'
  elseif fields[6] then
    status = 'open'
  end
  return {
    id = id, status = status, session = fields[1], owner = fields[2], pending = fields[3],
    wait = tonumber(fields[4]), queueDeadline = tonumber(fields[5]), deadline = tonumber(fields[7] or 0),
  }
end

-- What the store makes its record of; false when there is no such request. Order: snapshot.ts.
local function snapshot(id)
  local request = redis.call('HMGET', request_key(id, 'req'), 'request', 'createdAt', 'shownAt')
  if not request[1] then return false end
  return {
    request,
    redis.call('HMGET', request_key(id, 'verdict'), 'verdict', 'at'),
    redis.call('HMGET', request_key(id, 'close'), 'outcome', 'at'),
    redis.call('LRANGE', request_key(id, 'cards'), 0, -1),
    redis.call('LRANGE', request_key(id, 'failures'), 0, -1),
  }
end

-- What an ended request answers to whatever comes after (lifecycle.ts, refusalOf).
local LATE = {
  timed_out = CODES.deadline_passed,
  indeterminate = CODES.delivery_failed,
  owner_lost = CODES.delivery_failed,
  cancelled = CODES.stale,
  superseded = CODES.stale,
  undeliverable = CODES.stale,
}
local function late_code(id)
  return LATE[redis.call('HGET', request_key(id, 'close'), 'kind')] or CODES.already_resolved
end
