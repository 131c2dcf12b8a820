-- Posts that somebody began, and of which nothing was heard since.

-- Needs keys and state. Takes an ended request off the list of work once all its cards show the end and no post is in doubt.
local function rest_when_settled(id, state)
  if state.status ~= 'ended' then return end
  if redis.call('SCARD', request_key(id, 'settled')) < redis.call('LLEN', request_key(id, 'cards')) then return end
  for _, post in ipairs(call_or({}, 'HVALS', request_key(id, 'posting'))) do
    if string.sub(post, 1, 6) ~= 'posted' then return end
  end
  redis.call('ZREM', WORK, id)
end
