--[[
  Notes that no card of an ended request hangs where somebody had begun to post one.

  KEYS[1] the request's posts
  ARGV[1] id      ARGV[2] the place

  Returns { code, false }: done, also for a request that is not known.
]]
-- @include keys codes state posts
local id, place = ARGV[1], ARGV[2]
local post = redis.call('HGET', KEYS[1], place)
if post and string.sub(post, 1, 6) ~= 'posted' then redis.call('HDEL', KEYS[1], place) end
local state = state_of(id)
if state then rest_when_settled(id, state) end
return { CODES.done, false }
