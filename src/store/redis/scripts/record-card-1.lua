--[[
  Adds a card to a request, once. Not a move.

  KEYS[1] the request's cards
  ARGV[1] id      ARGV[2] what tells the card from others      ARGV[3] the card as JSON      ARGV[4] members of its row
  ARGV[5] its place    ARGV[6] its pointer, or ''

  Returns { code, snapshot, error? }: done, not_found, audit_failed.
]]
-- @include keys codes limits now state audit moves
local id, identity = ARGV[1], ARGV[2] .. '\n'
local state = state_of(id)
if not state then return { CODES.not_found, false } end
for at, known in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(known, 1, #identity) == identity then
    -- First known by a click on it: whoever posted it knows its pointer, too.
    if ARGV[6] ~= '' and not string.find(known, '"pointer":', 1, true) then
      redis.call('LSET', KEYS[1], at - 1, identity .. ARGV[3])
      -- Whoever drew the end on the card did not know of the pointer.
      if state.status == 'claimed' or state.status == 'ended' then
        redis.call('ZADD', WORK, whole(now_ms()), id)
        wake(state, true)
      end
    end
    return { CODES.done, snapshot(id) }
  end
end
local now = now_ms()
local failure = append_rows({ row(now, 'card_posted', id, state, ARGV[4]) })
if failure then return audit_failed(failure, id) end
redis.call('RPUSH', KEYS[1], identity .. ARGV[3])
redis.call('PEXPIRE', KEYS[1], redis.call('PTTL', request_key(id, 'req')))
redis.call('HSET', request_key(id, 'posting'), ARGV[5], 'posted')
redis.call('PEXPIRE', request_key(id, 'posting'), redis.call('PTTL', request_key(id, 'req')))
-- It hangs in the channel and offers what is no longer to be had.
if state.status == 'claimed' or state.status == 'ended' then redis.call('ZADD', WORK, whole(now), id) end
wake(state, false)
return { CODES.done, snapshot(id) }
