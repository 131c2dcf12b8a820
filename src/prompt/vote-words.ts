import { nameOf } from './headline.ts';

/** How far a step that takes several people has come, for its card. Undefined where one is enough. */
export function progressWords(names: readonly string[], needed: number): string | undefined {
  if (needed < 2) return undefined;
  const allowed = names.length === 0 ? '' : `, allowed by ${names.map(nameOf).join(', ')}`;
  return `${names.length} of ${needed} approvals${allowed}`;
}

/** An approval was recorded, and is not enough by itself. */
export function voteRecorded({ cast, needed }: { readonly cast: number; readonly needed: number }): string {
  const more = needed - cast;
  return `Recorded: ${cast} of ${needed}. It is not run yet: ${more} more ${more === 1 ? 'person has' : 'people have'} to allow it.`;
}

/** For people, in the chat and at the command line. */
export const VOTERS_UNVERIFIED =
  'handraise could not check whether those who allowed it before still may, so nothing was recorded. Please try again.';

/** Others voted again and again in the same moment. */
export const VOTES_CHANGED = 'Others decided at the same moment, so nothing was recorded. Please try again.';
