import type { NewRequest, RequestRecord } from '../../core/request.ts';

/** The unfinished requests that were opened here, by owner: what an owner has to read again after it heard nothing. */
export class OwnRequests {
  readonly #byOwner = new Map<string, Set<string>>();

  add({ ownerId, requestId }: Pick<NewRequest, 'ownerId' | 'requestId'>): void {
    this.#byOwner.set(ownerId, (this.#byOwner.get(ownerId) ?? new Set()).add(requestId));
  }

  /** Lets go of a request that is known to have ended, or not to have been opened. */
  drop({ ownerId, requestId }: Pick<NewRequest, 'ownerId' | 'requestId'>): void {
    const ids = this.#byOwner.get(ownerId);
    if (ids?.delete(requestId) && ids.size === 0) this.#byOwner.delete(ownerId);
  }

  see(record: RequestRecord): void {
    if (record.status === 'ended') this.drop(record);
  }

  of(ownerId: string): readonly string[] {
    return [...(this.#byOwner.get(ownerId) ?? [])];
  }
}
