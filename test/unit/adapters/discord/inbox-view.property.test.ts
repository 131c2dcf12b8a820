import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderInbox } from '../../../../adapters/discord/inbox-view.ts';
import { OURS } from '../../../../adapters/discord/limits.ts';
import type { InboxEntry } from '../../../../src/core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { batches } from '../../../support/batches.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { complaintsAboutMessage, drawn } from './drawn.ts';

const AT = Date.UTC(2026, 7, 3, 10);
const ID = '1234567890123456789';
const CARD = { platform: 'discord', workspaceId: ID, channel: ID, message: ID, thread: ID } as const;

function entryOf(batch: QuestionBatch, session = SESSION): InboxEntry {
  return { view: questionView('r1', session, batch), deadline: AT, card: CARD };
}

test('every list is legal, and nothing of an agent takes effect in it', () => {
  const wild = fc.record({ branch: fc.string({ unit: 'binary' }), program: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(batches, wild), { maxLength: 5 }), fc.nat(3), (asked, more) => {
      const entries = asked.map(([batch, { branch, program }]) =>
        entryOf(batch, { ...SESSION, branch: `@everyone${branch}`, program: `<@1>**x**${program}` }),
      );
      const { components } = renderInbox({ entries, more });
      expect(complaintsAboutMessage(components, [])).toEqual([]);
      expect(drawn(components).active).toEqual([]);
    }),
    { numRuns: 100 },
  );
}, 60_000);

test.each(['x', '*', '\u202E', '字', '😀', '"'])('the longest list of the longest texts (%s) fits', (letter) => {
  const long = letter.repeat(7_000);
  const batch = batchOf(...[1, 2, 3, 4].map((n) => question(`${n}${long}`, ['A', 'B'], { header: `${n}${long}` })));
  const one = batchOf(question(long, ['A', 'B'], { header: long }));
  const session = { ...SESSION, branch: long, program: long, startedBy: long, workspace: `/${long}` };
  const entries = Array.from({ length: OURS.inboxEntries }, (_, index) =>
    entryOf(index % 2 === 0 ? batch : one, session),
  );
  const { components } = renderInbox({ entries, more: 7 });
  expect(complaintsAboutMessage(components, [])).toEqual([]);
  expect(drawn(components).controls.map(({ text }) => text)).toEqual(entries.map(() => 'Open'));
});

test('says what is open, of which agent, until when, and where', () => {
  const entries = [entryOf(batchOf(question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' })))];
  const { text, controls } = drawn(renderInbox({ entries, more: 2 }).components);
  expect(text).toContain('3 questions wait for you.');
  expect(text).toContain('claude-code · api (main) · started by ana@laptop');
  expect(text).toContain('Database: Which database?');
  expect(text).toContain('answer by ');
  expect(text).toContain('2 more are open; they are listed once these are answered.');
  expect(controls.map(({ url }) => url)).toEqual([`https://discord.com/channels/${ID}/${ID}/${ID}`]);
});
