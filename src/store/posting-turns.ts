import type { PostingLease, PostingTurn } from '../core/ports/request-store.ts';
import type { CardRef } from '../core/request.ts';

type Place = Pick<CardRef, 'platform' | 'channel'>;

/** One thing that is posted once: its turn is taken, or it is there. */
type Post = { readonly holder: string; readonly until: number } | { readonly thread?: string };

/** Subjects of which turns are kept; the oldest go first. One process posts a few at a time. */
const MOST = 10_000;

/** Who may post what. A subject is a request, or a session for its thread; it is posted once a place. */
export class PostingTurns {
  readonly #subjects = new Map<string, Map<string, Post>>();

  take(subject: string, place: Place, { holder, forMs }: PostingLease, now: number): PostingTurn {
    const post = this.#subjects.get(subject)?.get(nameOf(place));
    if (post !== undefined && !('holder' in post)) return { turn: 'posted', ...post };
    if (post !== undefined && post.holder !== holder && post.until > now) {
      return { turn: 'others', forMs: post.until - now };
    }
    this.#set(subject, place, { holder, until: now + forMs });
    return { turn: 'yours', lookFirst: post !== undefined && post.holder !== holder };
  }

  posted(subject: string, place: Place, thread?: string): void {
    this.#set(subject, place, thread === undefined ? {} : { thread });
  }

  /** The post was refused for good, so that nothing can be there. */
  free(subject: string, place: Place): void {
    const posts = this.#subjects.get(subject);
    const post = posts?.get(nameOf(place));
    if (post !== undefined && 'holder' in post) posts?.delete(nameOf(place));
  }

  /** Whether somebody began to post it somewhere, and nothing was heard of that since. */
  isUnsure(subject: string): boolean {
    return [...(this.#subjects.get(subject)?.values() ?? [])].some((post) => 'holder' in post);
  }

  #set(subject: string, place: Place, post: Post): void {
    const posts = this.#subjects.get(subject) ?? new Map<string, Post>();
    this.#subjects.delete(subject);
    this.#subjects.set(subject, posts.set(nameOf(place), post));
    for (const oldest of this.#subjects.keys()) {
      if (this.#subjects.size <= MOST) break;
      this.#subjects.delete(oldest);
    }
  }
}

function nameOf({ platform, channel }: Place): string {
  return `${platform} ${channel}`;
}
