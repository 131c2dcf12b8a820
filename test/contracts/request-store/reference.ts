import type { ClosingOutcome } from '../../../src/core/lifecycle.ts';
import type { StoreCode } from '../../../src/core/store-codes.ts';

/** A request as the reference sees it: only what decides what may happen next. */
export interface Seen {
  readonly id: string;
  readonly session: string;
  readonly pendingId: string | undefined;
  readonly waitMs: number;
  readonly born: number;
  status: 'queued' | 'open' | 'claimed' | 'ended';
  deadline?: number;
  click?: string;
  end?: string;
}

/** What an ended request answers to whatever comes after. */
const LATE: Readonly<Record<string, StoreCode>> = {
  answered: 'already_resolved',
  timed_out: 'deadline_passed',
  indeterminate: 'delivery_failed',
  owner_lost: 'delivery_failed',
  cancelled: 'stale',
  superseded: 'stale',
  undeliverable: 'stale',
};

/** The store's rules once more, written apart from `src/core/lifecycle.ts`, so that the two can disagree. */
export class Reference {
  readonly requests: Seen[] = [];
  now: number;

  constructor(now: number) {
    this.now = now;
  }

  open(made: { id: string; session: string; pendingId: string | undefined; waitMs: number }): StoreCode {
    if (this.#find(made.id) !== undefined) return 'not_allowed';
    for (const old of this.requests) {
      const same = old.session === made.session && old.pendingId === made.pendingId && made.pendingId !== undefined;
      if (same && (old.status === 'queued' || old.status === 'open')) this.#end(old, 'superseded');
    }
    this.requests.push({ ...made, born: this.now, status: 'queued' });
    this.#showNext(made.session);
    return 'done';
  }

  claim(id: string, label: string, click: string, offered: readonly string[]): StoreCode {
    const one = this.#find(id);
    if (one === undefined) return 'not_found';
    if (one.click === click) return 'repeated';
    if (one.status === 'queued') return 'not_shown';
    if (one.status === 'claimed') return 'resolution_in_progress';
    if (one.status === 'ended') return this.#late(one);
    if (this.now >= (one.deadline ?? 0)) return 'deadline_passed';
    if (!offered.includes(label)) return 'option_not_offered';
    Object.assign(one, { status: 'claimed', click });
    return 'done';
  }

  confirm(id: string): StoreCode {
    const one = this.#find(id);
    if (one === undefined) return 'not_found';
    if (one.status === 'ended') return this.#late(one);
    if (one.status !== 'claimed') return 'not_allowed';
    this.#end(one, 'answered');
    this.#showNext(one.session);
    return 'done';
  }

  close(id: string, kind: ClosingOutcome['kind']): StoreCode {
    const one = this.#find(id);
    if (one === undefined) return 'not_found';
    if (one.status === 'ended') return this.#late(one);
    if (one.status === 'claimed' && kind !== 'indeterminate' && kind !== 'owner_lost') return 'resolution_in_progress';
    this.#end(one, kind);
    this.#showNext(one.session);
    return 'done';
  }

  unfinishedIds(): string[] {
    const rest = this.requests.filter((one) => one.status !== 'ended');
    return rest.sort((a, b) => a.born - b.born || (a.id < b.id ? -1 : 1)).map((one) => one.id);
  }

  #find(id: string): Seen | undefined {
    return this.requests.find((one) => one.id === id);
  }

  #end(one: Seen, end: string): void {
    Object.assign(one, { status: 'ended', end });
  }

  #late(one: Seen): StoreCode {
    return LATE[one.end ?? ''] ?? 'not_allowed';
  }

  #showNext(session: string): void {
    const line = this.requests.filter((one) => one.session === session);
    if (line.some((one) => one.status === 'open' || one.status === 'claimed')) return;
    const next = line.find((one) => one.status === 'queued' && this.now < one.born + 3 * one.waitMs);
    if (next !== undefined) Object.assign(next, { status: 'open', deadline: this.now + next.waitMs });
  }
}
