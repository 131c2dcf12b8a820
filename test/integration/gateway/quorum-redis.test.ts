import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/core/actor.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { SurfaceAdapter } from '../../../src/core/ports/surface-adapter.ts';
import type { Decision, Vote } from '../../../src/core/request.ts';
import { createDecider, type Decider } from '../../../src/gateway/decide.ts';
import type { RedisStore } from '../../../src/store/redis/store.ts';
import { newSigningKey, readVerdictKey } from '../../../src/trust/keys.ts';
import { createVoteTrust } from '../../../src/trust/verdicts.ts';
import { proposalRequestOf, pushOf } from '../../support/proposals.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, KEYS, openStore } from '../../support/redis-store.ts';
import { ANA, BEN } from '../../support/requests.ts';
import { GATEWAY_KEY, sign, VERDICT_KEYS, verify } from '../../support/verdict-keys.ts';

const CEM: Actor = { ...ANA, platform: 'discord', workspaceId: 'G1', userId: '3', name: 'Cem' };
const ALLOW: Decision = { kind: 'granted', scope: 'action' };
const votes = createVoteTrust(GATEWAY_KEY, VERDICT_KEYS.map(readVerdictKey));

let server: RedisServer;
let stores: RedisStore[];
let gateways: Decider[];
let clicks = 0;
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
  stores = [(await openStore(server.url)).store, (await openStore(server.url)).store];
  gateways = stores.map((store) => decider(store));
});
afterEach(() => {
  for (const store of stores) store.stop();
});

/** A gateway without chat: everybody is who they were. */
function decider(store: RedisStore): Decider {
  const adapters = (['slack', 'discord'] as const).map((platform) => {
    const directory = { platform, whoIs: async (actor: Actor) => actor, groupsOf: async () => new Set<string>() };
    return directory as unknown as SurfaceAdapter;
  });
  return createDecider({
    store,
    adapters,
    sign,
    votes,
    clock: systemClock,
    log: recordingLog(),
    route: () => ({
      places: [],
      operators: '*',
      approvers: { slackUsers: [ANA.userId, BEN.userId], discordUsers: [CEM.userId] },
      quorum: { write: 1, external: 2 },
    }),
    onClaimed: () => undefined,
    onCard: () => undefined,
  });
}

function click(gateway: number, actor: Actor, decision: Decision, requestId = 'p1') {
  clicks += 1;
  return gateways[gateway]?.judge({ requestId, actor, decision, interactionId: `click-${clicks}` });
}

async function open(requestId = 'p1') {
  const asked = proposalRequestOf(requestId, pushOf());
  await stores[0]?.open(asked);
  return asked;
}

/** The votes as they stand there, written anew by somebody with every right. */
async function forge(cast: readonly Vote[], requestId = 'p1') {
  const key = KEYS.request(requestId, 'votes');
  await server.client.hset(key, { revision: '1', cast: JSON.stringify(cast) });
}

describe('a step that takes two people, over Redis', () => {
  it('has one end for each of 40 in a row, however approvals and a denial fall together at two gateways', async () => {
    for (let round = 0; round < 40; round += 1) {
      const id = `p${round}`;
      const asked = await open(id);
      const deciding = [click(0, ANA, ALLOW, id), click(1, CEM, ALLOW, id)];
      if (round % 2 === 0) deciding.push(click(round % 4 === 0 ? 0 : 1, BEN, { kind: 'denied' }, id));
      await Promise.all(deciding);
      const record = await stores[0]?.read(id);
      const { verdict } = record ?? {};
      if (verdict === undefined) throw new Error(`nothing came of ${id}`);
      expect(verify(asked, verdict)).toBeUndefined();
      if (verdict.decision.kind === 'granted') {
        const who = [...(verdict.quorum?.earlier ?? []), verdict.actor].map(({ userId }) => userId);
        expect(who.sort()).toEqual([CEM.userId, ANA.userId].sort());
      } else expect(verdict.quorum).toBeUndefined();
      if (round % 2 !== 0) expect(verdict.decision.kind).toBe('granted');
    }
    const rows = await auditRowsIn(server);
    expect(rows.filter(({ event }) => event === 'claimed')).toHaveLength(40);
  });

  it('takes no vote that no gateway signed, that was cast on another request, or that is of another kind', async () => {
    const asked = await open();
    const other = await open('p2');
    const vote = { decision: ALLOW, actor: ANA, interactionId: 'c' } as const;
    const stranger = newSigningKey().key;
    const forged: readonly Vote[] = [
      vote,
      { ...vote, interactionId: 'd', signature: createVoteTrust(stranger, []).sign(asked, vote, 1) },
      { ...vote, interactionId: 'e', signature: votes.sign(other, vote, 1) },
      { ...vote, signature: sign(asked, vote, 1) },
    ];
    for (const one of forged) {
      await server.client.del(KEYS.request('p1', 'votes'));
      await forge([one]);
      const record = await stores[0]?.read('p1');
      if (record === undefined) throw new Error('the request is gone');
      expect(votes.isGenuine(record, one)).toBe(false);
    }
    expect(await click(0, CEM, ALLOW)).toMatchObject({ code: 'voted', cast: 1, needed: 2 });
    expect((await auditRowsIn(server)).find(({ event }) => event === 'vote_struck')).toMatchObject({
      reason: 'bad_signature',
    });
    expect((await stores[0]?.read('p1'))?.verdict).toBeUndefined();
  });

  it('counts a vote that was copied beside itself once', async () => {
    await open();
    await click(0, ANA, ALLOW);
    const [vote] = (await stores[0]?.read('p1'))?.ballot?.cast ?? [];
    if (vote === undefined) throw new Error('there is no vote');
    await forge([vote, { ...vote, interactionId: 'again' }, vote]);
    expect(await click(1, ANA, ALLOW)).toMatchObject({ code: 'refused', refusal: 'voted_before' });
    expect((await stores[0]?.read('p1'))?.verdict).toBeUndefined();
  });

  it('is not believed by its owner when a vote stands where the verdict belongs, or when somebody is struck from it', async () => {
    const asked = await open();
    await click(0, ANA, ALLOW);
    const [vote] = (await stores[0]?.read('p1'))?.ballot?.cast ?? [];
    if (vote === undefined) throw new Error('there is no vote');
    expect(verify(asked, { ...vote, at: 1 })).toBe('bad_signature');
    await click(1, CEM, ALLOW);
    const verdict = (await stores[0]?.read('p1'))?.verdict;
    if (verdict?.quorum === undefined) throw new Error('there is no verdict');
    expect(verify(asked, verdict)).toBeUndefined();
    const { quorum, ...alone } = verdict;
    expect(verify(asked, alone)).toBe('bad_signature');
    expect(verify(asked, { ...verdict, quorum: { ...quorum, needed: 1 } })).toBe('bad_signature');
    const twice = { ...alone, quorum: { needed: 2, earlier: [verdict.actor] } };
    expect(verify(asked, { ...twice, signature: sign(asked, twice, 1) })).toBe('too_few_people');
  });

  it('is denied by one, and allowed by nobody where the gateway keeps no votes', async () => {
    await open();
    expect(await click(0, BEN, { kind: 'denied' })).toMatchObject({ code: 'done' });
    await open('p2');
    const [store] = stores;
    if (store === undefined) throw new Error('there is no store');
    const without = createDecider({
      store,
      adapters: [],
      sign,
      clock: systemClock,
      log: recordingLog(),
      route: () => ({ places: [], operators: '*', approvers: '*', quorum: { write: 2, external: 2 } }),
      onClaimed: () => undefined,
      onCard: () => undefined,
    });
    const allowed = await without.judge({ requestId: 'p2', actor: ANA, decision: ALLOW, interactionId: 'z' });
    expect(allowed.code).toBe('unreachable');
    expect((await store.read('p2'))?.status).toBe('open');
  });
});
