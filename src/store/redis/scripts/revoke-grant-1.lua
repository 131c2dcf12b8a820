--[[
  A person takes a grant back. Only gateways may write KEYS[1]: an owner cannot make good again what was taken back. One
  that is not recorded yet never becomes good.

  KEYS[1] whether the grant is taken back
  ARGV[1] request id    ARGV[2] who, as JSON    ARGV[3] ms to keep it    ARGV[4] members of its row

  Returns { code, grant, error? }: done, repeated (taken back before), not_found (it never was; it will not be),
  already_resolved, audit_failed.
]]
-- @include keys codes limits now state audit grants grant-moves
local id = ARGV[1]
local grant = grant_of(id)
local known = redis.call('EXISTS', KEYS[1]) == 1
if known then return { grant and CODES.repeated or CODES.not_found, grant_snapshot(id) } end
if grant and grant_is_over(id) then return { CODES.already_resolved, grant_snapshot(id) } end
local now = now_ms()
local failed = grant_row_failed(id, now, 'grant_revoked', grant, ARGV[4])
if failed then return failed end
redis.call('SET', KEYS[1], '{"why":"revoked","at":' .. whole(now) .. ',"by":' .. ARGV[2] .. '}', 'PX', ARGV[3])
if not grant then return { CODES.not_found, false } end
unlist_grant(grant)
return { CODES.done, grant_snapshot(id) }
