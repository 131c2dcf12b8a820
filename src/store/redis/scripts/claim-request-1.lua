--[[
  Records a verdict: the one compare-and-set that decides who won. Only gateways may write KEYS[1].

  KEYS[1] the request's verdict
  ARGV[1] id                 ARGV[2] digest of the request the choice was judged by
  ARGV[3] interaction id     ARGV[4] picks, separated by spaces; '' when they fit no card
  ARGV[5] verdict as JSON    ARGV[6] who and through what, as members of a row
  ARGV[7] the outcome it leads to            ARGV[8] further members of its own row, or ''
  ARGV[9] the revision of the votes it stands on, 0 for none; '' where it stands on none

  Returns { code, snapshot, error? }: done, repeated, not_found, not_shown, resolution_in_progress, already_resolved,
  stale, delivery_failed, deadline_passed, option_not_offered, votes_changed, audit_failed.
]]
-- @include keys codes limits now state audit moves
local id, digest, interaction, picks, choice = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[6]
local state = state_of(id)
if not state then return { CODES.not_found, false } end
if call_or(false, 'HGET', KEYS[1], 'interaction') == interaction then return { CODES.repeated, snapshot(id) } end
if state.status == 'queued' then return { CODES.not_shown, snapshot(id) } end
if state.status == 'claimed' then return { CODES.resolution_in_progress, snapshot(id) } end
if state.status == 'ended' then return { late_code(id), snapshot(id) } end
local now = now_ms()
if now >= state.deadline then return { CODES.deadline_passed, snapshot(id) } end

local stored = redis.call('HMGET', request_key(id, 'req'), 'digest', 'offered')
if stored[1] ~= digest then return { CODES.stale, snapshot(id) } end
local offered = ' ' .. (stored[2] or '') .. ' '
local known = 0
for pick in string.gmatch(picks, '%S+') do
  if not string.find(offered, ' ' .. pick .. ' ', 1, true) then return { CODES.option_not_offered, snapshot(id) } end
  known = known + 1
end
if known == 0 then return { CODES.option_not_offered, snapshot(id) } end

if ARGV[9] ~= '' then
  local revision = ms_in(call_or(false, 'HGET', request_key(id, 'votes'), 'revision')) or 0
  if revision ~= tonumber(ARGV[9]) then return { CODES.votes_changed, snapshot(id) } end
end

local failure = append_rows({
  row(now, 'claimed', id, state, choice .. ',"outcome":"' .. ARGV[7] .. '"' .. ARGV[8]),
})
if failure then return audit_failed(failure, id) end
redis.call(
  'HSET', KEYS[1], 'verdict', ARGV[5], 'interaction', interaction, 'choice', choice, 'outcome', ARGV[7],
  'at', whole(now)
)
redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', request_key(id, 'req')))
redis.call('ZADD', WORK, whole(now), id)
wake(state, true)
return { CODES.done, snapshot(id) }
