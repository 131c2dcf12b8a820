-- Audit rows: JSON objects, put together as text so that nothing a caller encoded is decoded and encoded again.

-- `extra`: further members, encoded by the caller, or ''. `state` may be nil for a request that is not known.
local function row(now, event, id, state, extra)
  local text = '{"at":' .. whole(now) .. ',"event":"' .. event .. '","requestId":' .. cjson.encode(id)
  if state then
    if state.pending ~= '' then text = text .. ',"pendingId":' .. cjson.encode(state.pending) end
    text = text .. ',"sessionId":' .. cjson.encode(state.session) .. ',"ownerId":' .. cjson.encode(state.owner)
  end
  if extra ~= '' then text = text .. ',' .. extra end
  return text .. '}'
end

-- All rows of one operation as one entry: they are kept or refused together. Call it before any other write. Returns
-- the error, or nil.
local function append_rows(rows)
  local fields = {}
  for _, one in ipairs(rows) do
    fields[#fields + 1] = 'row'
    fields[#fields + 1] = one
  end
  local done = redis.pcall('XADD', AUDIT, '*', unpack(fields))
  if type(done) == 'table' and done.err then return done end
  return nil
end

-- The reply when rows could not be appended. A replica refuses every write: that is for the connection to cure.
local function audit_failed(failure, id)
  if string.find(failure.err, 'READONLY', 1, true) then return failure end
  return { CODES.audit_failed, snapshot(id), failure.err }
end
