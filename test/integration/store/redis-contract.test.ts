import { afterAll } from 'vitest';
import { type MakeStore, requestStoreContract } from '../../contracts/request-store-contract.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, breakAudit, mendAudit, openStoreByTestClock } from '../../support/redis-store.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

const makeStore: MakeStore = async () => {
  const { store, now, advance } = await openStoreByTestClock(server);
  return {
    store,
    now,
    advance,
    auditRows: () => auditRowsIn(server),
    breakAudit: () => breakAudit(server),
    mendAudit: () => mendAudit(server),
    close: async () => store.stop(),
  };
};

requestStoreContract('the Redis store', makeStore);
