--[[
  Records what a person allowed. Only its owner calls it, once the agent is about to be told.

  KEYS[1] the grant
  ARGV[1] request id      ARGV[2] the grant as JSON         ARGV[3] session id      ARGV[4] owner id
  ARGV[5] when it ends in ms since the epoch, or ''         ARGV[6] '1' when it is for one call
  ARGV[7] ms to keep it   ARGV[8] members of its row

  Returns { code, grant, error? }: done, repeated (this very grant is there), not_allowed (another one is),
  already_resolved (it was taken back), audit_failed.
]]
-- @include keys codes limits now state audit grants grant-moves
local id = ARGV[1]
local known = call_or(false, 'HGET', KEYS[1], 'grant')
if known == ARGV[2] then return { CODES.repeated, grant_snapshot(id) } end
if redis.call('EXISTS', KEYS[1]) == 1 then return { CODES.not_allowed, grant_snapshot(id) } end
if redis.call('EXISTS', request_key(id, 'revoked')) == 1 then return { CODES.already_resolved, false } end
local now = now_ms()
local about = { pending = '', session = ARGV[3], owner = ARGV[4] }
local failed = grant_row_failed(id, now, 'granted', about, ARGV[8])
if failed then return failed end
redis.call(
  'HSET', KEYS[1], 'grant', ARGV[2], 'session', ARGV[3], 'owner', ARGV[4], 'at', whole(now), 'endsAt', ARGV[5],
  'once', ARGV[6], 'uses', '0'
)
redis.call('PEXPIRE', KEYS[1], ARGV[7])
redis.call('ZADD', GRANTS, whole(now), id)
redis.call('ZADD', session_key(ARGV[3], 'grants'), whole(now), id)
redis.call('PEXPIRE', session_key(ARGV[3], 'grants'), INDEX_MS)
return { CODES.done, grant_snapshot(id) }
