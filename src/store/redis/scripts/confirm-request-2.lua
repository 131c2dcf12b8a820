--[[
  The owner delivered the recorded verdict: the request ends with its outcome, and the session's next one opens.

  KEYS[1] the request        KEYS[2] its close
  ARGV[1] id

  Returns { code, snapshot, error? }: done, not_found, not_allowed (no verdict was recorded), audit_failed, and what an
  ended request answers.
]]
-- @include keys codes limits now state audit moves
local id = ARGV[1]
local state = state_of(id)
if not state then return { CODES.not_found, false } end
if state.status == 'ended' then return { late_code(id), snapshot(id) } end
if state.status ~= 'claimed' then return { CODES.not_allowed, snapshot(id) } end
local now = now_ms()
local kind = call_or(false, 'HGET', request_key(id, 'verdict'), 'outcome')
if not kind then return { CODES.not_allowed, snapshot(id) } end
local choice = choice_of(id)
local delivered = row(now, 'delivered', id, state, choice .. '"outcome":"' .. kind .. '"')
return end_and_show_next(state, now, kind, '', choice, { delivered })
