--[[
  Notes the thread that was begun for a session.

  KEYS[1] the session's threads
  ARGV[1] place    ARGV[2] thread

  Returns { code, false }: done.
]]
-- @include codes limits
redis.call('HSET', KEYS[1], ARGV[1], 'posted\n' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], INDEX_MS)
return { CODES.done, false }
