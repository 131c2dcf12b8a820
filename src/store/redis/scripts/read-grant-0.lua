--[[
  ARGV[1] request id

  Returns the grant, or false when there is none.
]]
-- @include keys codes limits now state grants
return grant_snapshot(ARGV[1])
