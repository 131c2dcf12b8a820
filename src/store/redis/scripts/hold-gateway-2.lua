--[[
  Takes or renews the lease of a gateway on one platform; with 0 ms gives it back. Those that are lost go on the way.

  KEYS[1] gateways by the end of their lease    KEYS[2] what each says
  ARGV[1] gateway id and platform    ARGV[2] ms    ARGV[3] what it says

  Returns { code, false }: done.
]]
-- @include codes now
local now = now_ms()
redis.call('ZADD', KEYS[1], string.format('%.0f', now + tonumber(ARGV[2])), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
for _, lost in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now), 'LIMIT', 0, 100)) do
  redis.call('ZREM', KEYS[1], lost)
  redis.call('HDEL', KEYS[2], lost)
end
return { CODES.done, false }
