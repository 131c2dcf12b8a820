--[[
  Opens a request, or queues it behind an unfinished one of its session, unless it is of a kind that never queues. One that carries the same pending id and is not
  decided yet ends as superseded first.

  KEYS[1] the request        KEYS[2] its close
  ARGV[1] id                 ARGV[2] the request as JSON      ARGV[3] digest of that JSON
  ARGV[4] session id         ARGV[5] owner id                 ARGV[6] pending id, or ''
  ARGV[7] wait in ms         ARGV[8] most ms in the queue     ARGV[9] picks on offer, separated by spaces
  ARGV[10] ms to keep it     ARGV[11] '1' if it never queues  ARGV[12] further members of its row, or ''

  Returns { code, snapshot, error? }: done, not_allowed (the id was used or barred), audit_failed.
]]
-- @include keys codes limits now state audit moves
local id, session, owner, pending = ARGV[1], ARGV[4], ARGV[5], ARGV[6]
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return { CODES.not_allowed, snapshot(id) } end

local now = now_ms()
local rows = {}
local old = nil
if pending ~= '' then
  local newest = redis.call('HGET', session_key(session, 'pending'), pending)
  local state = newest and state_of(newest)
  if state and (state.status == 'queued' or state.status == 'open') then
    old = state
    rows[1] = row(now, 'ended', old.id, old, '"outcome":"superseded"')
  end
end
local new = {
  id = id, status = 'queued', session = session, owner = owner, pending = pending,
  wait = tonumber(ARGV[7]), queueDeadline = now + tonumber(ARGV[8]),
}
local at_once = ARGV[11] == '1'
local following = next_in_line(session, old and old.id, not at_once and new or nil, now)
rows[#rows + 1] = row(now, 'asked', id, new, ARGV[12])
if at_once then rows[#rows + 1] = row(now, 'shown', id, new, '') end
if following then rows[#rows + 1] = row(now, 'shown', following.id, following, '') end
local failure = append_rows(rows)
if failure then return audit_failed(failure, id) end

redis.call(
  'HSET', KEYS[1], 'request', ARGV[2], 'digest', ARGV[3], 'session', session, 'owner', owner, 'pending', pending,
  'wait', ARGV[7], 'offered', ARGV[9], 'createdAt', whole(now), 'queueDeadline', whole(new.queueDeadline)
)
redis.call('PEXPIRE', KEYS[1], ARGV[10])
if not at_once then
  redis.call('RPUSH', session_key(session, 'queue'), id)
  redis.call('PEXPIRE', session_key(session, 'queue'), INDEX_MS)
end
redis.call('ZADD', UNFINISHED, whole(now), id)
redis.call('ZADD', DUE, whole(new.queueDeadline + OVERDUE_AFTER_MS), id)
redis.call('SADD', owners_requests_key(owner), id)
redis.call('PEXPIRE', owners_requests_key(owner), INDEX_MS)
if old then finish(old, now, 'superseded', '{"kind":"superseded"}') end
if pending ~= '' then
  redis.call('HSET', session_key(session, 'pending'), pending, id)
  redis.call('PEXPIRE', session_key(session, 'pending'), INDEX_MS)
end
if at_once then open_now(new, now) end
if following then show(following, now) end
if not at_once and (following == nil or following.id ~= id) then wake(new, false) end
return { CODES.done, snapshot(id) }
