import type { Actor, Standing } from '../core/actor.ts';
import type { InboxEntry } from '../core/ports/surface-adapter.ts';

/** The list of what is open for somebody, in words. Plain text: adapters escape it. */
export function inboxHeading(count: number, entries: readonly Pick<InboxEntry, 'view'>[] = []): string {
  if (count === 0) return 'Nothing waits for you.';
  const what = entries.some(({ view }) => view.kind === 'proposal') ? 'request' : 'question';
  return count === 1 ? `1 ${what} waits for you.` : `${count} ${what}s wait for you.`;
}

/** What stands where the list ends before all of it was said. */
export function moreInInbox(more: number): string {
  return more === 1
    ? 'One more is open; it is listed once one of these is answered.'
    : `${more} more are open; they are listed once these are answered.`;
}

/** Why nothing is listed for somebody: not because nothing is open. */
export function inboxRefused(standing: Exclude<Standing, 'member'>, platform: Actor['platform']): string {
  switch (standing) {
    case 'guest':
      return 'Guests may not answer an agent here, so that nothing is listed for you.';
    case 'stranger':
      return platform === 'discord'
        ? 'Only members of a server may answer the agents that ask there. Use this command in that server.'
        : 'Only members of this workspace may answer an agent, so that nothing is listed for you.';
    case 'bot':
      return 'A bot may not answer an agent, so that nothing is listed.';
    case 'deactivated':
      return 'This account is deactivated, so that nothing is listed for it.';
    case 'unverified':
      return 'handraise could not check who you are, so that nothing is listed. Please try again.';
  }
}

export const INBOX_UNREACHABLE = 'handraise cannot look up what is open right now. Please try again.';

export const INBOX_FORBIDDEN =
  'handraise lacks a permission to find out which questions you can see. Whoever set it up finds in its log which one.';
