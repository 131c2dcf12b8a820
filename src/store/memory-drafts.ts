import type { StoredDraft } from '../core/ports/request-store.ts';

/** Answers that are not sent yet. They live as long as their request is open. */
export class MemoryDrafts {
  readonly #drafts = new Map<string, StoredDraft>();
  readonly #isOpen: (requestId: string) => boolean;

  constructor(isOpen: (requestId: string) => boolean) {
    this.#isOpen = isOpen;
  }

  read(requestId: string): StoredDraft | undefined {
    return this.#isOpen(requestId) ? this.#drafts.get(requestId) : undefined;
  }

  write(requestId: string, body: string, replaces: number): boolean {
    for (const known of this.#drafts.keys()) if (!this.#isOpen(known)) this.#drafts.delete(known);
    if (!this.#isOpen(requestId) || (this.#drafts.get(requestId)?.revision ?? 0) !== replaces) return false;
    this.#drafts.set(requestId, { revision: replaces + 1, body });
    return true;
  }
}
