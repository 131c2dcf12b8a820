--[[
  Takes, renews or (with 0 ms) gives back the lease of an owner.

  KEYS[1] owners by the end of their lease
  ARGV[1] owner id    ARGV[2] ms

  Returns { code, false }: done.
]]
-- @include codes now
redis.call('ZADD', KEYS[1], string.format('%.0f', now_ms() + tonumber(ARGV[2])), ARGV[1])
return { CODES.done, false }
