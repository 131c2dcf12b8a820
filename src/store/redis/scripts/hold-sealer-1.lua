--[[
  Takes or renews the lease for sealing the audit.

  KEYS[1] who seals
  ARGV[1] holder    ARGV[2] ms

  Returns 1 when it is the holder's, 0 when it is somebody else's.
]]
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
