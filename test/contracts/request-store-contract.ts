import { describe } from 'vitest';
import { audit } from './request-store/audit.ts';
import { cards } from './request-store/cards.ts';
import { claims } from './request-store/claims.ts';
import { drafts } from './request-store/drafts.ts';
import { endings } from './request-store/endings.ts';
import type { MakeStore } from './request-store/harness.ts';
import { leases } from './request-store/leases.ts';
import { lifecycleModel } from './request-store/model.ts';
import { posting } from './request-store/posting.ts';
import { proposals } from './request-store/proposals.ts';
import { queue } from './request-store/queue.ts';
import { votes } from './request-store/votes.ts';
import { wakeUps } from './request-store/wake-ups.ts';

export type { MakeStore, StoreHarness } from './request-store/harness.ts';

/**
 * What every `RequestStore` has to do, told through the port only. `makeStore` gives an empty store for each test, with
 * a clock and an audit that the test controls. `modelRuns`: how many random histories the model test tries.
 */
export function requestStoreContract(name: string, makeStore: MakeStore, { modelRuns = 100 } = {}): void {
  describe(`${name} keeps the contract of a request store:`, () => {
    claims(makeStore);
    queue(makeStore);
    proposals(makeStore);
    votes(makeStore);
    endings(makeStore);
    cards(makeStore);
    posting(makeStore);
    drafts(makeStore);
    leases(makeStore);
    audit(makeStore);
    wakeUps(makeStore);
    lifecycleModel(makeStore, modelRuns);
  });
}
