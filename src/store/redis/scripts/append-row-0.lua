--[[
  Writes a row about a request, known or not, and changes nothing else.

  ARGV[1] id      ARGV[2] event      ARGV[3] members of the row, or ''

  Returns { code, false, error? }: done, audit_failed.
]]
-- @include keys codes now state audit
local id = ARGV[1]
local failure = append_rows({ row(now_ms(), ARGV[2], id, state_of(id), ARGV[3]) })
if failure then return audit_failed(failure, id) end
return { CODES.done, false }
