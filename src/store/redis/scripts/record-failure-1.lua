--[[
  Records that a card could not be put on a surface; replaces what was known about the same one.

  KEYS[1] the request's failures
  ARGV[1] id      ARGV[2] the surface      ARGV[3] the failure as JSON      ARGV[4] members of its row
  ARGV[5] '1' when nothing can have been posted

  Returns { code, snapshot, error? }: done, not_found, audit_failed.
]]
-- @include keys codes limits now state audit moves
local id, surface = ARGV[1], ARGV[2] .. '\n'
local state = state_of(id)
if not state then return { CODES.not_found, false } end
local failure = append_rows({ row(now_ms(), 'card_failed', id, state, ARGV[4]) })
if failure then return audit_failed(failure, id) end
for _, known in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(known, 1, #surface) == surface then redis.call('LREM', KEYS[1], 1, known) end
end
local turn = redis.call('HGET', request_key(id, 'posting'), ARGV[2])
if ARGV[5] == '1' and turn and turn ~= 'posted' then redis.call('HDEL', request_key(id, 'posting'), ARGV[2]) end
redis.call('RPUSH', KEYS[1], surface .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', request_key(id, 'req')))
wake(state, false)
return { CODES.done, snapshot(id) }
