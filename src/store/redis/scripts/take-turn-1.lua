--[[
  Takes the turn to post something once: a card of a request, or the thread of a session.

  KEYS[1] the posts: by place, `posted`, `posted` with the thread on a second line, or until when and by whom the turn
          is taken
  ARGV[1] request id, or '' for a thread    ARGV[2] place    ARGV[3] holder    ARGV[4] ms to hold it

  Returns { code, ... }: done and whether (1) or not (0) to look first; resolution_in_progress and for how many ms
  somebody else is at it; already_resolved and the thread, or ''; not_found.
]]
-- @include keys codes limits now state
local id, place, holder = ARGV[1], ARGV[2], ARGV[3]
local keep = INDEX_MS
if id ~= '' then
  if not state_of(id) then return { CODES.not_found } end
  keep = redis.call('PTTL', request_key(id, 'req'))
end
local now = now_ms()
local post = redis.call('HGET', KEYS[1], place)
local look = 0
if post then
  if string.sub(post, 1, 6) == 'posted' then return { CODES.already_resolved, string.sub(post, 8) } end
  local until_ms, other = string.match(post, '^(%d+)\n(.*)$')
  if other ~= holder then
    if tonumber(until_ms) > now then return { CODES.resolution_in_progress, tonumber(until_ms) - now } end
    look = 1
  end
end
redis.call('HSET', KEYS[1], place, whole(now + tonumber(ARGV[4])) .. '\n' .. holder)
redis.call('PEXPIRE', KEYS[1], keep)
return { CODES.done, look }
