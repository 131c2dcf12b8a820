--[[
  The owner ends a grant: its turn or session is over, or it was not what was on the card.

  KEYS[1] the grant
  ARGV[1] request id    ARGV[2] why    ARGV[3] members of its row

  Returns { code, grant, error? }: done, repeated (ended for that before), not_found, already_resolved, audit_failed.
]]
-- @include keys codes limits now state audit grants grant-moves
local id, why = ARGV[1], ARGV[2]
local grant = grant_of(id)
if not grant then return { CODES.not_found, false } end
if redis.call('EXISTS', request_key(id, 'revoked')) == 1 then
  return { CODES.already_resolved, grant_snapshot(id) }
end
local ended = redis.call('HGET', KEYS[1], 'ended')
if ended then
  local same = string.find(ended, '"why":"' .. why .. '"', 1, true)
  return { same and CODES.repeated or CODES.already_resolved, grant_snapshot(id) }
end
local now = now_ms()
local failed = grant_row_failed(id, now, 'grant_ended', grant, ARGV[3])
if failed then return failed end
end_grant(grant, now, why)
return { CODES.done, grant_snapshot(id) }
