--[[
  ARGV ids (at most 100)

  Returns one snapshot an id, each as of the same moment; false for an unknown one.
]]
-- @include keys codes now state
local found = {}
for at, id in ipairs(ARGV) do found[at] = snapshot(id) end
return found
