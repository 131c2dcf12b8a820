--[[
  The owner (or a sweeper) ends a request. A recorded verdict stands in the way of every end but those that say its
  delivery is not known.

  KEYS[1] the request        KEYS[2] its close
  ARGV[1] id                 ARGV[2] kind of the outcome      ARGV[3] the outcome as JSON
  ARGV[4] members of its row with a comma behind, in place of who chose; or ''

  Returns { code, snapshot, error? }: done, not_found, resolution_in_progress, audit_failed, and what an ended request
  answers.
]]
-- @include keys codes limits now state audit moves
local id, kind = ARGV[1], ARGV[2]
local state = state_of(id)
if not state then return { CODES.not_found, false } end
if state.status == 'ended' then return { late_code(id), snapshot(id) } end
if state.status == 'claimed' and kind ~= 'indeterminate' and kind ~= 'owner_lost' then
  return { CODES.resolution_in_progress, snapshot(id) }
end
local members = ARGV[4]
if members == '' then members = choice_of(id) end
return end_and_show_next(state, now_ms(), kind, ARGV[3], members, {})
