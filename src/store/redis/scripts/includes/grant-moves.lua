-- Moving grants. The row first: when it is refused, all stays as it was.

local function unlist_grant(grant)
  redis.call('ZREM', GRANTS, grant.id)
  call_or(0, 'ZREM', session_key(grant.session, 'grants'), grant.id)
end

-- Nil, or the reply when the row could not be written.
local function grant_row_failed(id, now, event, about, members)
  local failure = append_rows({ row(now, event, id, about, members) })
  if not failure then return nil end
  if string.find(failure.err, 'READONLY', 1, true) then return failure end
  return { CODES.audit_failed, grant_snapshot(id), failure.err }
end

local function end_grant(grant, now, why)
  redis.call('HSET', request_key(grant.id, 'grant'), 'ended', '{"why":"' .. why .. '","at":' .. whole(now) .. '}')
  unlist_grant(grant)
end
