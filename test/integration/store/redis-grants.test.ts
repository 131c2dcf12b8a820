import { afterAll } from 'vitest';
import { grantStoreContract } from '../../contracts/grant-store-contract.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, breakAudit, mendAudit, openStoreByTestClock } from '../../support/redis-store.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

grantStoreContract('the Redis store', async () => {
  const { store, now, advance } = await openStoreByTestClock(server);
  return {
    grants: store.grants,
    now,
    advance,
    auditRows: () => auditRowsIn(server),
    breakAudit: () => breakAudit(server),
    mendAudit: () => mendAudit(server),
    close: async () => store.stop(),
  };
});
