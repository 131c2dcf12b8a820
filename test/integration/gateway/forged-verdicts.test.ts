import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import type { SignVerdict } from '../../../src/core/ports/verdict-trust.ts';
import type { Decision, NewQuestions } from '../../../src/core/request.ts';
import { openSharedOwner, type SharedOwner } from '../../../src/gateway/shared-owner.ts';
import { signLease } from '../../../src/gateway/signed-leases.ts';
import type { RedisStore } from '../../../src/store/redis/store.ts';
import { newSigningKey } from '../../../src/trust/keys.ts';
import { createVerdictSigner } from '../../../src/trust/verdicts.ts';
import { choice } from '../../support/gateway-stage.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { auditRowsIn, KEYS, openStore } from '../../support/redis-store.ts';
import { ANA, SESSION } from '../../support/requests.ts';
import { claimSigned, GATEWAY_KEY, OWNER_CONFIG, sign } from '../../support/verdict-keys.ts';

let server: RedisServer;
let gateway: RedisStore;
const owners: SharedOwner[] = [];
beforeAll(async () => {
  server = await startRedisServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
  gateway = (await openStore(server.url)).store;
});
afterEach(async () => {
  await Promise.all(owners.splice(0).map((owner) => owner.stop()));
  gateway.stop();
});

const REDIS = decisionOf('Redis');
const POSTGRES = decisionOf('Postgres');

describe('what somebody with every right in Redis writes there as an answer', () => {
  it.each<[string, string, (asked: Asked) => unknown]>([
    ['words', 'unreadable', ({ requestId }) => forge(requestId, 'Redis, says Ana')],
    ['an answer nobody offered', 'unreadable', ({ requestId }) => forge(requestId, verdictOf(decisionOf('MySQL')))],
    ['an answer without a signature', 'unsigned', ({ requestId }) => forge(requestId, verdictOf(REDIS))],
    [
      'an answer signed with a key of their own',
      'unknown_key',
      ({ requestId, record }) => forge(requestId, signed(record, REDIS, createVerdictSigner(newSigningKey().key))),
    ],
    [
      'another choice under the signature of a real one',
      'bad_signature',
      ({ requestId, record }) => forge(requestId, { ...signed(record, REDIS), decision: POSTGRES }),
    ],
    [
      'the signed answer to the same question of another session',
      'bad_signature',
      async ({ requestId }) => {
        const other = await ask('session-2');
        await claimSigned(gateway, other.requestId, verdictOf(REDIS));
        expect((await other.result).outcome.kind).toBe('answered');
        forge(requestId, await server.client.hget(KEYS.request(other.requestId, 'verdict'), 'verdict'));
      },
    ],
    [
      'another card, which a person then really answers',
      'view_differs',
      async ({ requestId, record }) => {
        const [question] = record.view.questions;
        if (question === undefined) throw new Error('no question');
        const view = { ...record.view, questions: [{ ...question, question: 'Which colour?' }] };
        await replace(requestId, { ...record, view });
        expect((await claimSigned(gateway, requestId, verdictOf(REDIS))).code).toBe('done');
      },
    ],
    [
      'another question behind the card, which a person then really answers',
      'batch_differs',
      async ({ requestId, record }) => {
        await replace(requestId, { ...record, batch: choice('Which colour?', 'Redis', 'Postgres') });
        expect((await claimSigned(gateway, requestId, verdictOf(REDIS))).code).toBe('done');
      },
    ],
  ])(
    '%s ends the question without an answer, logged and audited with a reason (promise: proven-verdict)',
    async (_, reason, attack) => {
      const asked = await ask('session-1');
      await attack(asked);
      expect((await asked.result).outcome).toEqual({ kind: 'indeterminate', reason });
      expect(asked.log.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          fields: expect.objectContaining({ requestId: asked.requestId, reason }),
        }),
      );
      const ends = (await auditRowsIn(server)).filter(
        ({ requestId, event }) => event === 'ended' && requestId === asked.requestId,
      );
      expect(ends).toEqual([expect.objectContaining({ outcome: 'indeterminate', reason })]);
      expect(ends[0]).not.toHaveProperty('actor');
      // It is over for people, too, and the session goes on.
      const late = await claimSigned(gateway, asked.requestId, { ...verdictOf(REDIS), interactionId: 'late' });
      expect(late.code).toBe('delivery_failed');
      const next = await ask('session-1', asked.owner);
      await claimSigned(gateway, next.requestId, verdictOf(POSTGRES));
      expect((await next.result).outcome.kind).toBe('answered');
    },
  );

  it('and calls delivered, is not told to the agent as an operator’s word', async () => {
    const asked = await ask('session-1');
    const close = { kind: 'declined', outcome: '', at: `${Date.now()}` };
    await server.client.hset(KEYS.request(asked.requestId, 'close'), close);
    forge(asked.requestId, verdictOf({ kind: 'declined' }));
    expect((await asked.result).outcome).toEqual({ kind: 'indeterminate' });
  });
});

interface Asked {
  readonly owner: SharedOwner;
  readonly log: ReturnType<typeof recordingLog>;
  readonly requestId: string;
  readonly record: NewQuestions;
  readonly result: ReturnType<SharedOwner['prompter']['ask']>;
}

/** A question that is open, of an owner as `run` opens it. */
async function ask(sessionId: string, opened?: SharedOwner): Promise<Asked> {
  const about = { gatewayId: 'g1', platform: 'slack', issuedAt: gateway.clock.now() } as const;
  const questions = { mode: 'ask', operators: '*', waitMs: 60_000 } as const;
  const bindings = [{ match: { workspace: '*' }, slack: { channel: 'C1' }, questions }];
  await gateway.leases.holdGateway(
    signLease(about, bindings, () => undefined, GATEWAY_KEY),
    10_000,
  );
  const log = recordingLog();
  const owner =
    opened ??
    (await openSharedOwner({
      config: OWNER_CONFIG,
      redisUrl: new Secret(server.url),
      session: { ...SESSION, sessionId },
      clock: systemClock,
      newId: newRandomId,
      log,
    }));
  if (owner === undefined) throw new Error('no binding');
  if (opened === undefined) owners.push(owner);
  const { signal } = new AbortController();
  let result: Asked['result'] | undefined;
  const requestId = await new Promise<string>((onAccepted) => {
    result = owner.prompter.ask(choice('Which database?', 'Postgres', 'Redis'), { signal, onAccepted });
  });
  const record = await gateway.read(requestId);
  if (record === undefined || result === undefined) throw new Error('nothing was asked');
  await gateway.recordCard(requestId, {
    platform: 'slack',
    workspaceId: 'T',
    channel: 'C1',
    message: '1',
    thread: '0',
  });
  if (record.kind !== 'questions') throw new Error('no question');
  const { pendingId, ownerId, session, kind, batch, view, waitMs } = record;
  const pending = pendingId === undefined ? {} : { pendingId };
  return {
    owner,
    log,
    requestId,
    record: { requestId, ...pending, ownerId, session, kind, batch, view, waitMs },
    result,
  };
}

function decisionOf(label: string): Decision {
  return { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] };
}

function verdictOf(decision: Decision) {
  return { decision, actor: ANA, interactionId: 'click-1' };
}

function signed(record: NewQuestions, decision: Decision, by: SignVerdict = sign) {
  const verdict = verdictOf(decision);
  return { ...verdict, signature: by(record, verdict, Date.now()) };
}

/** In the place and the form in which the claim script puts a verdict. Whoever waits finds it with the next poll. */
function forge(requestId: string, verdict: unknown): void {
  void server.client.hset(KEYS.request(requestId, 'verdict'), {
    verdict: typeof verdict === 'string' ? verdict : JSON.stringify(verdict),
    interaction: 'click-1',
    choice: '"actor":{"userId":"U1"}',
    outcome: 'answered',
    at: `${Date.now()}`,
  });
}

/** Another content of the request, with everything that is derived from it. */
async function replace(requestId: string, request: NewQuestions): Promise<void> {
  const content = JSON.stringify(request);
  const digest = createHash('sha256').update(content).digest('hex');
  await server.client.hset(KEYS.request(requestId, 'req'), { request: content, digest });
}
