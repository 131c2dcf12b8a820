import { systemClock } from '../../src/core/clock.ts';
import type { Claim, RequestStore } from '../../src/core/ports/request-store.ts';
import type { QuestionBatch } from '../../src/core/questions/contract.ts';
import type { NewRequest, SessionFacts } from '../../src/core/request.ts';
import { createMemoryStore } from '../../src/store/memory.ts';
import { type Figure, percentile } from './figures.ts';

/** Requests measured in each round; rounds take turns, so that a noisy moment hits both. */
const REQUESTS = 300;
const ROUNDS = 7;

/** What one request costs the memory store (open, claim, confirm) while few or many of other sessions are pending. */
export async function benchPending(): Promise<Figure[]> {
  const few = await storeWith(10);
  const many = await storeWith(10_000);
  const samples: { few: number[]; many: number[] } = { few: [], many: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [costOfFew, costOfMany] = [await costOf(few, round), await costOf(many, round)];
    if (round === 0) continue; // Warms the engine up.
    samples.few.push(costOfFew);
    samples.many.push(costOfMany);
  }
  return [
    {
      name: 'memory store: a request with 10,000 pending',
      unit: 'µs',
      ours: percentile(samples.many, 0.5),
      baseline: { name: 'with 10 pending', value: percentile(samples.few, 0.5) },
      aim: 1.3,
    },
  ];
}

async function storeWith(pending: number): Promise<RequestStore> {
  const nowhere = { append: () => undefined };
  const store = createMemoryStore({ clock: systemClock, audit: nowhere, journal: nowhere, log: QUIET });
  for (let n = 0; n < pending; n += 1) await store.open(requestOf(`pending-${n}`));
  return store;
}

/** Says nothing, so that only the store is measured. */
export const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Microseconds a request. */
export async function costOf(store: RequestStore, round: number): Promise<number> {
  const begun = process.hrtime.bigint();
  for (let n = 0; n < REQUESTS; n += 1) {
    const requestId = `round-${round}-${n}`;
    await store.open(requestOf(requestId));
    const claimed = await store.claim(requestId, answer(requestId));
    if (claimed.code !== 'done') throw new Error(`the claim was refused: ${claimed.code}`);
    await store.confirm(requestId);
  }
  return Number(process.hrtime.bigint() - begun) / 1e3 / REQUESTS;
}

export function answer(interactionId: string): Claim {
  return {
    decision: { kind: 'answers', sheet: [{ status: 'answered', labels: ['Redis'] }] },
    actor: { platform: 'slack', workspaceId: 'T1', userId: 'U1', name: 'Ana', standing: 'member' },
    interactionId,
  };
}

export function sessionOf(sessionId: string): SessionFacts {
  return { sessionId, agent: 'generic', workspace: '/w', startedBy: 'ana@laptop' };
}

export function requestOf(requestId: string): NewRequest {
  const session = sessionOf(`session of ${requestId}`);
  const batch = batchOf('Which database?');
  const view = { v: 1, requestId, kind: 'questions', session, questions: batch.questions } as const;
  return { requestId, ownerId: 'owner', session, kind: 'questions', batch, view, waitMs: 3_600_000 };
}

export function batchOf(text: string): QuestionBatch {
  const questions = [
    {
      question: text,
      header: 'Database',
      multiSelect: false,
      options: ['Postgres', 'Redis'].map((label) => ({ label, description: `What ${label} means.` })),
    },
  ];
  return { questions };
}
