import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAnswered } from '../../../src/core/outcomes.ts';
import type { PromptResult } from '../../../src/core/ports/prompter.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import { BATCH, CARD, OTHER, setUpJoined } from './joined-desk.ts';
import '../../support/fast-check.ts';

const STEP = fc.oneof(
  fc.record({
    do: fc.constant('call' as const),
    id: fc.constantFrom(undefined, 'toolu_1', 'toolu_2'),
    batch: fc.constantFrom(BATCH, OTHER),
  }),
  fc.record({
    do: fc.constantFrom('withdraw' as const, 'cutOff' as const, 'delivered' as const, 'lost' as const),
    of: fc.nat(5),
  }),
  fc.record({ do: fc.constant('click' as const), label: fc.constantFrom('Postgres', 'Redis', 'SQLite') }),
  fc.record({ do: fc.constant('walk' as const), ms: fc.constantFrom(0, 1, 1, 9_999, 10_000, 300_000) }),
  // Nothing that waits gets a turn before the next step: the steps around it race.
  fc.record({ do: fc.constant('race' as const) }),
);

it('whatever comes together, every call and every request ends once, and no answer goes astray', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 30 }), async (steps) => {
      const { call, clock, store, rows, events, joined, pick, requests, log } = await setUpJoined();
      const calls: (ReturnType<typeof call> & { batch: QuestionBatch; got?: PromptResult; told?: string })[] = [];
      for (const [at, step] of steps.entries()) {
        switch (step.do) {
          case 'call': {
            const made: (typeof calls)[number] = { ...call(step.id, step.batch), batch: step.batch };
            void made.result.then((got) => {
              made.got = got;
            });
            calls.push(made);
            break;
          }
          case 'withdraw':
          case 'cutOff':
            calls[step.of]?.[step.do]();
            break;
          case 'delivered':
          case 'lost': {
            const of = calls[step.of];
            if (of?.got === undefined || of.told !== undefined) break;
            of.told = step.do;
            void of.got[step.do]('its socket closed');
            break;
          }
          case 'click': {
            const [open] = (await store.listUnfinished()).filter(({ status }) => status === 'open');
            if (open === undefined) break;
            await store.recordCard(open.requestId, CARD);
            void pick(open.requestId, step.label);
            break;
          }
          case 'walk':
            await clock.walk(step.ms);
            break;
          case 'race':
            continue;
        }
        if (steps[at + 1]?.do !== 'race') await clock.walk(0);
      }
      // Everybody leaves, and tells what became of the answer.
      for (const { withdraw } of calls) withdraw();
      await clock.walk(0);
      for (const of of calls) {
        const got = await of.result;
        if (of.told === undefined) {
          of.told = 'lost';
          await got.lost('the run is ending');
        }
        if (isAnswered(got.outcome)) {
          const offered = of.batch.questions[0]?.options.map(({ label }) => label);
          expect(got.outcome.sheet).toMatchObject([
            { labels: [expect.toSatisfy((x) => offered?.includes(x) === true)] },
          ]);
        }
      }
      await clock.walk(0);
      await joined.stop();
      await clock.walk(0);

      expect(await store.listUnfinished()).toEqual([]);
      expect(clock.pending()).toEqual([]);
      // Such as a second word about the same delivery, which the store refuses.
      expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
      const asked = events.filter(({ event }) => event === 'operator.question.asked').map(({ id }) => id);
      const over = events.filter(({ event }) => event !== 'operator.question.asked').map(({ id }) => id);
      expect(over.toSorted()).toEqual(asked.toSorted());
      expect(asked).toHaveLength(requests());
      // One that is recorded as answered was delivered to somebody.
      const confirmed = rows.filter(({ event }) => event === 'delivered').length;
      const delivered = calls.filter(({ told, got }) => told === 'delivered' && got && isAnswered(got.outcome)).length;
      expect(confirmed).toBeLessThanOrEqual(delivered);
    }),
    { numRuns: 300 },
  );
});
