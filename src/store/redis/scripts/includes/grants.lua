-- Grants. A grant is over when its owner ended it, or when gateways took it back: whichever stands there first.

local function grant_of(id)
  local fields = call_or({}, 'HMGET', request_key(id, 'grant'), 'grant', 'session', 'owner', 'at', 'endsAt', 'once')
  local at, ends_at = ms_in(fields[4]), ms_in(fields[5] or '')
  if not (fields[1] and fields[2] and fields[3] and at) then return nil end
  if fields[5] ~= '' and not ends_at then return nil end
  return {
    id = id, json = fields[1], session = fields[2], owner = fields[3], at = at, ends_at = ends_at, once = fields[6] == '1',
    pending = '',
  }
end

-- What the store makes its record of; false where there is none. Order: grants.ts.
local function grant_snapshot(id)
  local grant = grant_of(id)
  if not grant then return false end
  local more = redis.call('HMGET', request_key(id, 'grant'), 'uses', 'usedBy', 'ended')
  return {
    grant.json, whole(grant.at), more[1] or '0', more[2] or false, more[3] or false,
    call_or(false, 'GET', request_key(id, 'revoked')),
  }
end

local function grant_is_over(id)
  return redis.call('EXISTS', request_key(id, 'revoked')) == 1
    or call_or(false, 'HGET', request_key(id, 'grant'), 'ended') ~= false
end
