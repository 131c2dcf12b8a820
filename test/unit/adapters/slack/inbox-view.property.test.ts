import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderInbox } from '../../../../adapters/slack/inbox-view.ts';
import { OURS } from '../../../../adapters/slack/limits.ts';
import type { InboxEntry } from '../../../../src/core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { batches } from '../../../support/batches.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { drawView, legalView } from './drawn.ts';

const AT = Date.UTC(2026, 7, 3, 10);
const WEB = 'https://acme.slack.com/';
const CARD = {
  platform: 'slack',
  workspaceId: 'T1',
  channel: 'C1',
  message: '1700000000.000200',
  thread: '1.1',
} as const;

function entryOf(batch: QuestionBatch, session = SESSION): InboxEntry {
  return { view: questionView('r1', session, batch), deadline: AT, card: CARD };
}

test('every list is legal, and nothing of an agent takes effect in it', () => {
  const wild = fc.record({ branch: fc.string({ unit: 'binary' }), program: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(batches, wild), { maxLength: 5 }), fc.nat(3), (asked, more) => {
      const entries = asked.map(([batch, { branch, program }]) =>
        entryOf(batch, { ...SESSION, branch: `<!here>${branch}`, program: `<@U1>*x*${program}` }),
      );
      const view = renderInbox({ entries, more }, WEB, AT);
      expect(legalView(view)).toEqual({ issues: [] });
      expect(drawView(view).active).toEqual([]);
    }),
    { numRuns: 100 },
  );
}, 60_000);

test.each(['x', '&', '字', '😀'])('the longest list of the longest texts (%s) fits', (letter) => {
  const long = letter.repeat(7_000);
  const batch = batchOf(...[1, 2, 3, 4].map((n) => question(`${n}${long}`, ['A', 'B'], { header: `${n}${long}` })));
  const one = batchOf(question(long, ['A', 'B'], { header: long }));
  const session = { ...SESSION, branch: long, program: long, startedBy: long, workspace: `/${long}` };
  const entries = Array.from({ length: OURS.inboxEntries }, (_, index) =>
    entryOf(index % 2 === 0 ? batch : one, session),
  );
  const view = renderInbox({ entries, more: 7 }, WEB, AT);
  expect(legalView(view)).toEqual({ issues: [] });
  expect(drawView(view).controls).toHaveLength(OURS.inboxEntries + 1);
});
