import { describe } from 'vitest';
import { grantAudit } from './grant-store/audit.ts';
import { grantEndings } from './grant-store/endings.ts';
import type { MakeGrants } from './grant-store/harness.ts';
import { grantUses } from './grant-store/uses.ts';

export type { MakeGrants } from './grant-store/harness.ts';

/** What every `GrantStore` has to do, told through the port only. `makeGrants` gives an empty one for each test. */
export function grantStoreContract(name: string, makeGrants: MakeGrants): void {
  describe(`${name} keeps the contract of a grant store:`, () => {
    grantUses(makeGrants);
    grantEndings(makeGrants);
    grantAudit(makeGrants);
  });
}
