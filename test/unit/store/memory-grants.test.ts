import { grantStoreContract } from '../../contracts/grant-store-contract.ts';
import { grantsInMemory } from '../../support/memory-grants.ts';

grantStoreContract('the memory store', async () => {
  const made = grantsInMemory();
  return {
    grants: made.grants,
    now: () => made.clock.now(),
    advance: async (ms) => made.clock.advance(ms),
    auditRows: async () => [...made.rows],
    async breakAudit() {
      made.auditFails = true;
    },
    async mendAudit() {
      made.auditFails = false;
    },
    close: async () => undefined,
  };
});
