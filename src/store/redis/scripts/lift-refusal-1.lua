--[[
  A step that nobody had answered in time may be asked about again. Only gateways may write KEYS[1].

  KEYS[1] whether its refusal is lifted
  ARGV[1] request id    ARGV[2] ms to keep it    ARGV[3] members of its row

  Returns { code, false, error? }: done (also when it was lifted before), audit_failed.
]]
-- @include keys codes limits now state audit
local id = ARGV[1]
if redis.call('EXISTS', KEYS[1]) == 1 then return { CODES.done, false } end
local failure = append_rows({ row(now_ms(), 'refusal_lifted', id, state_of(id), ARGV[3]) })
if failure then return audit_failed(failure, id) end
redis.call('SET', KEYS[1], '1', 'PX', ARGV[2])
return { CODES.done, false }
