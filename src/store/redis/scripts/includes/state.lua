-- Reading requests. Status is never stored: it follows from which keys exist.

-- Whole numbers as text: Lua's own conversion turns to 1.2e+15 at 15 digits.
local function whole(number)
  return string.format('%.0f', number)
end

-- Runs a command; `instead` where its key holds another kind of value than ours. One damaged key must not stop what is
-- done for others. Any other error is nobody's damage: raised, as the command itself raises it.
local function call_or(instead, ...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then return reply end
  if string.find(reply.err, '^WRONGTYPE') then return instead end
  return redis.call(...)
end

-- Nil for what is no time or duration in ms.
local function ms_in(field)
  local number = tonumber(field or nil)
  if number and number >= 0 and number < 2 ^ 53 then return number end
  return nil
end

-- The facts scripts decide by, or nil when there is no such request, or what is there is damaged.
local function state_of(id)
  local fields = call_or(
    {}, 'HMGET', request_key(id, 'req'), 'session', 'owner', 'pending', 'wait', 'queueDeadline', 'shownAt', 'deadline'
  )
  local wait, queueDeadline = ms_in(fields[4]), ms_in(fields[5])
  local deadline = ms_in(fields[7] or not fields[6] and 0)
  if not (fields[1] and fields[2] and fields[3] and wait and queueDeadline and deadline) then return nil end
  local status = 'queued'
  if redis.call('EXISTS', request_key(id, 'close')) == 1 then
    local close = call_or({}, 'HMGET', request_key(id, 'close'), 'kind', 'outcome', 'at')
    if not (close[1] and close[2] and ms_in(close[3])) then return nil end
    status = 'ended'
  elseif redis.call('EXISTS', request_key(id, 'verdict')) == 1 then
    status = 'claimed'
  elseif fields[6] then
    status = 'open'
  end
  return {
    id = id, status = status, session = fields[1], owner = fields[2], pending = fields[3],
    wait = wait, queueDeadline = queueDeadline, deadline = deadline,
  }
end

-- Whether there is something that state_of cannot make sense of.
local function is_damaged(id)
  return redis.call('EXISTS', request_key(id, 'req')) == 1 and not state_of(id)
end

-- What the store makes its record of; false where state_of is nil. Order: snapshot.ts.
local function snapshot(id)
  if not state_of(id) then return false end
  local request = redis.call('HMGET', request_key(id, 'req'), 'request', 'createdAt', 'shownAt')
  if not request[1] then return false end
  local verdict = call_or({}, 'HMGET', request_key(id, 'verdict'), 'verdict', 'at')
  -- Something else stands in its place: no verdict, and for the store not the same as none.
  if not verdict[1] and redis.call('EXISTS', request_key(id, 'verdict')) == 1 then verdict = { '', '' } end
  local votes = call_or({}, 'HMGET', request_key(id, 'votes'), 'revision', 'cast')
  return {
    request,
    { verdict[1] or false, verdict[2] or false },
    redis.call('HMGET', request_key(id, 'close'), 'outcome', 'at'),
    call_or({}, 'LRANGE', request_key(id, 'cards'), 0, -1),
    call_or({}, 'LRANGE', request_key(id, 'failures'), 0, -1),
    { votes[1] or false, votes[2] or false },
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
