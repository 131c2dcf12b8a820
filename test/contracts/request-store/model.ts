import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClosingOutcome } from '../../../src/core/lifecycle.ts';
import { choose, claim, type MakeStore, request, type StoreHarness } from './harness.ts';
import { Reference } from './reference.ts';

type Command = fc.AsyncCommand<Reference, StoreHarness>;

const OFFERED = ['Postgres', 'SQLite'];

/** Small pools, so that histories meet: the same session, pending id, click and request come up again and again. */
const id = fc.integer({ min: 0, max: 7 }).map((index) => `r${index}`);
const opened = fc.record({
  id,
  session: fc.constantFrom('a', 'b'),
  pendingId: fc.constantFrom(undefined, undefined, 'tool-1', 'tool-2'),
  waitMs: fc.constantFrom(60_000, 300_000),
});
const clicked = fc.record({
  id,
  label: fc.constantFrom(...OFFERED, 'MySQL'),
  click: fc.constantFrom('c1', 'c2', 'c3', 'c4'),
});
const closing = fc.constantFrom<ClosingOutcome>(
  { kind: 'timed_out', shown: true, waitedMs: 60_000 },
  { kind: 'cancelled' },
  { kind: 'owner_lost' },
  { kind: 'undeliverable', reason: 'not_in_channel' },
  { kind: 'indeterminate' },
);
const pause = fc.constantFrom(1, 1_000, 59_999, 60_000, 180_000, 900_000);

const COMMANDS: fc.Arbitrary<Command>[] = [
  opened.map((made) =>
    command(
      `open(${JSON.stringify(made)})`,
      (model) => model.open(made),
      ({ store }) => store.open(asRequest(made)),
    ),
  ),
  clicked.map((made) =>
    command(
      `claim(${JSON.stringify(made)})`,
      (model) => model.claim(made.id, made.label, made.click, OFFERED),
      ({ store }) => store.claim(made.id, claim(choose(made.label), { interactionId: made.click })),
    ),
  ),
  id.map((requestId) =>
    command(
      `confirm(${requestId})`,
      (model) => model.confirm(requestId),
      ({ store }) => store.confirm(requestId),
    ),
  ),
  fc.tuple(id, closing).map(([requestId, outcome]) =>
    command(
      `close(${requestId}, ${outcome.kind})`,
      (model) => model.close(requestId, outcome.kind),
      ({ store }) => store.close(requestId, outcome),
    ),
  ),
  pause.map((ms) => ({
    check: () => true,
    async run(model, { advance }) {
      model.now += ms;
      await advance(ms);
    },
    toString: () => `clock += ${ms}`,
  })),
];

/** Random histories against a small reference: same codes, same state, after every step. */
export function lifecycleModel(makeStore: MakeStore, runs: number): void {
  describe('model', () => {
    it('agrees with a reference on every code and state of random histories', async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 60, size: 'max' }), async (history) => {
          const real = await makeStore();
          try {
            await fc.asyncModelRun(() => ({ model: new Reference(real.now()), real }), history);
          } finally {
            await real.close();
          }
        }),
        { numRuns: runs },
      );
    }, 120_000);
  });
}

function command(
  name: string,
  onModel: (model: Reference) => string,
  onStore: (real: StoreHarness) => Promise<{ code: string }>,
): Command {
  return {
    check: () => true,
    async run(model, real) {
      const expected = onModel(model);
      expect((await onStore(real)).code).toBe(expected);
      await expectSameState(model, real);
    },
    toString: () => name,
  };
}

async function expectSameState(model: Reference, { store }: StoreHarness): Promise<void> {
  const unfinished = await store.listUnfinished();
  expect(unfinished.map((record) => record.requestId)).toEqual(model.unfinishedIds());
  for (const seen of model.requests) {
    const record = await store.read(seen.id);
    expect({
      id: record?.requestId,
      status: record?.status,
      deadline: record?.deadline,
      click: record?.verdict?.interactionId,
      end: record?.outcome?.kind,
    }).toEqual({ id: seen.id, status: seen.status, deadline: seen.deadline, click: seen.click, end: seen.end });
  }
}

function asRequest({
  id,
  session,
  pendingId,
  waitMs,
}: {
  id: string;
  session: string;
  pendingId: string | undefined;
  waitMs: number;
}) {
  return request(id, { sessionId: session, waitMs, ...(pendingId === undefined ? {} : { pendingId }) });
}
