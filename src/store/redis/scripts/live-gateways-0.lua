--[[
  Returns { name, what it says, name, ... } of every gateway whose lease is not lost. Only reads, so that owners may.
]]
-- @include keys now
local found = {}
local names = redis.call('ZRANGEBYSCORE', GATEWAYS, '(' .. string.format('%.0f', now_ms()), '+inf')
for _, name in ipairs(names) do
  found[#found + 1] = name
  found[#found + 1] = redis.call('HGET', BODIES, name) or ''
end
return found
