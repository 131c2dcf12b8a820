--[[
  Puts a draft in place of the one that was read, while the request is open. It goes with the request's own time.

  KEYS[1] the draft: `revision`, `body`
  ARGV[1] request id    ARGV[2] revision it replaces, 0 for none    ARGV[3] body    ARGV[4] ms to keep it beyond the deadline

  Returns { code, false }: done, stale (another revision is there), not_allowed (not open), not_found.
]]
-- @include keys codes now state
local state = state_of(ARGV[1])
if not state then return { CODES.not_found, false } end
local now = now_ms()
if state.status ~= 'open' or state.deadline <= now then return { CODES.not_allowed, false } end
local revision = redis.call('HGET', KEYS[1], 'revision') or '0'
if revision ~= ARGV[2] then return { CODES.stale, false } end
redis.call('HSET', KEYS[1], 'revision', whole(tonumber(revision) + 1), 'body', ARGV[3])
redis.call('PEXPIRE', KEYS[1], whole(state.deadline - now + tonumber(ARGV[4])))
return { CODES.done, false }
