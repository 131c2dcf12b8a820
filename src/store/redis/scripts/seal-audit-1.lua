--[[
  Moves the seal on, unless somebody else has moved it meanwhile: a holder that slept through its lease must not set it
  back.

  KEYS[1] the seal: id of the last sealed entry, hash of its last row, rows sealed so far, by whom it was moved last
  ARGV[1] the id it was read at, or ''    ARGV[2] new id    ARGV[3] hash    ARGV[4] rows    ARGV[5] holder

  Returns 1 when it was moved, 0 when not.
]]
if (redis.call('HGET', KEYS[1], 'id') or '') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'id', ARGV[2], 'hash', ARGV[3], 'rows', ARGV[4], 'by', ARGV[5])
return 1
