--[[
  Records a vote on a request that takes several people. Only gateways may write KEYS[1].

  KEYS[1] the request's votes
  ARGV[1] id                 ARGV[2] digest of the request the vote was judged by
  ARGV[3] interaction id     ARGV[4] its pick; '' when it fits no card
  ARGV[5] the revision it was judged by, 0 for none
  ARGV[6] the votes that stand from now on, as JSON      ARGV[7] members of its own row
  ARGV[8…] members of a row for each vote that is struck

  Returns { code, snapshot, error? }: done, repeated, not_found, not_shown, resolution_in_progress, already_resolved,
  stale, delivery_failed, deadline_passed, option_not_offered, votes_changed, audit_failed.
]]
-- @include keys codes limits now state audit moves
local id, digest, interaction, pick = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local state = state_of(id)
if not state then return { CODES.not_found, false } end
if call_or(0, 'HEXISTS', KEYS[1], 'by ' .. interaction) == 1 then return { CODES.repeated, snapshot(id) } end
if state.status == 'queued' then return { CODES.not_shown, snapshot(id) } end
if state.status == 'claimed' then return { CODES.resolution_in_progress, snapshot(id) } end
if state.status == 'ended' then return { late_code(id), snapshot(id) } end
local now = now_ms()
if now >= state.deadline then return { CODES.deadline_passed, snapshot(id) } end

local stored = redis.call('HMGET', request_key(id, 'req'), 'digest', 'offered')
if stored[1] ~= digest then return { CODES.stale, snapshot(id) } end
local offered = ' ' .. (stored[2] or '') .. ' '
if pick == '' or not string.find(offered, ' ' .. pick .. ' ', 1, true) then
  return { CODES.option_not_offered, snapshot(id) }
end
local revision = ms_in(call_or(false, 'HGET', KEYS[1], 'revision')) or 0
if revision ~= tonumber(ARGV[5]) then return { CODES.votes_changed, snapshot(id) } end

local rows = {}
for at = 8, #ARGV do rows[#rows + 1] = row(now, 'vote_struck', id, state, ARGV[at]) end
rows[#rows + 1] = row(now, 'voted', id, state, ARGV[7])
local failure = append_rows(rows)
if failure then return audit_failed(failure, id) end
redis.call(
  'HSET', KEYS[1], 'revision', whole(revision + 1), 'cast', ARGV[6], 'by ' .. interaction, '1'
)
redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', request_key(id, 'req')))
redis.call('ZADD', WORK, whole(now), id)
wake(state, true)
return { CODES.done, snapshot(id) }
