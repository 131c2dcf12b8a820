--[[
  Audits a refused click, once: every gateway with the same token may have seen it, and a reply may have got lost.

  KEYS[1] interactions that were refused of this request, known or not
  ARGV[1] id      ARGV[2] the interaction's id      ARGV[3] members of the row      ARGV[4] ms for which it is remembered

  Returns { code, false, error? }: done, audit_failed.
]]
-- @include keys codes now state audit
local id = ARGV[1]
if redis.call('SISMEMBER', KEYS[1], ARGV[2]) == 1 then return { CODES.done, false } end
local failure = append_rows({ row(now_ms(), 'click_refused', id, state_of(id), ARGV[3]) })
if failure then return audit_failed(failure, id) end
redis.call('SADD', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return { CODES.done, false }
