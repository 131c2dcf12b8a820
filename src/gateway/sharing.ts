import type { RequestRecord } from '../core/request.ts';
import { keepLatest } from './latest.ts';

/** Which of several gateways settles a request, so that not each of them edits every card. */
export interface Sharing {
  /** This gateway put a card of it into a channel. */
  posted(requestId: string): void;
  /** This gateway recorded the decision, and has the click's own way to redraw the card. */
  claimed(requestId: string): void;
  /**
   * Takes over what stood on the list of work the last time already: whoever should have done it is gone. Returns it.
   * Twice is safe: the cards are drawn from the same record.
   */
  adopt(work: readonly string[]): readonly string[];
  isOurs(record: RequestRecord): boolean;
}

export function createSharing(): Sharing {
  const posts = new Set<string>();
  const claims = new Set<string>();
  const adopted = new Set<string>();
  let last: ReadonlySet<string> = new Set();
  return {
    posted: (requestId) => remember(posts, requestId),
    claimed: (requestId) => remember(claims, requestId),
    adopt(work) {
      const left = work.filter((requestId) => last.has(requestId));
      last = new Set(work);
      for (const requestId of left) remember(adopted, requestId);
      return left;
    },
    isOurs({ requestId, verdict }) {
      if (claims.has(requestId) || adopted.has(requestId)) return true;
      return verdict === undefined && posts.has(requestId);
    },
  };
}

/** Those before the latest are settled by way of `adopt`, a second or two later. */
function remember(ids: Set<string>, requestId: string): void {
  ids.add(requestId);
  keepLatest(ids);
}
