--[[
  Takes a grant for one call: the one compare-and-set by which an action serves one. Judges time limit and revocation.

  KEYS[1] the grant
  ARGV[1] request id    ARGV[2] call id    ARGV[3] members of the row of a use    ARGV[4] members of the row of the end

  Returns { code, grant, error? }: done, repeated (it served this call before, and nothing has ended it since), not_found,
  already_resolved (it is over, or has just run out of time), audit_failed.
]]
-- @include keys codes limits now state audit grants grant-moves
local id, call = ARGV[1], ARGV[2]
local grant = grant_of(id)
if not grant then return { CODES.not_found, false } end
local revoked = redis.call('EXISTS', request_key(id, 'revoked')) == 1
local ended = redis.call('HGET', KEYS[1], 'ended')
if not revoked and redis.call('HGET', KEYS[1], 'usedBy') == call then
  if not ended or grant.once and string.find(ended, '"why":"used"', 1, true) then
    return { CODES.repeated, grant_snapshot(id) }
  end
end
if revoked or ended then return { CODES.already_resolved, grant_snapshot(id) } end
local now = now_ms()
if grant.ends_at and now >= grant.ends_at then
  local failed = grant_row_failed(id, now, 'grant_ended', grant, ARGV[4])
  if failed then return failed end
  end_grant(grant, now, 'time_limit')
  return { CODES.already_resolved, grant_snapshot(id) }
end
local failed = grant_row_failed(id, now, 'grant_used', grant, ARGV[3])
if failed then return failed end
redis.call('HINCRBY', KEYS[1], 'uses', 1)
redis.call('HSET', KEYS[1], 'usedBy', call)
if grant.once then end_grant(grant, now, 'used') end
return { CODES.done, grant_snapshot(id) }
