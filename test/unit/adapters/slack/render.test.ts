import { describe, expect, test } from 'vitest';
import { renderCard, renderRetired, renderThread } from '../../../../adapters/slack/render.ts';
import type { Outcome } from '../../../../src/core/outcomes.ts';
import type { CardPhase } from '../../../../src/core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { ANA, batchOf, question, SESSION } from '../../../support/requests.ts';
import { drawMessage, legalMessage } from './drawn.ts';

const at = Date.UTC(2026, 7, 3, 10, 5);
const open: CardPhase = { phase: 'open', deadline: at };
const database = question('Which database?', ['Postgres (Recommended)', 'SQLite'], { header: 'Database' });
const languages = question('Which languages?', ['Go', 'Rust', 'Zig'], { header: 'Languages', multiSelect: true });

function cardOf(batch: QuestionBatch, state: CardPhase = open) {
  const payload = renderCard({ view: questionView('request-1', SESSION, batch), state });
  expect(legalMessage(payload).issues).toEqual([]);
  return { ...drawMessage(payload), payload };
}

const buttonsOf = (batch: QuestionBatch) => cardOf(batch).controls.map((control) => control.text);

describe('an open card', () => {
  test('of one single-select question has a button beside each option and four in one row', () => {
    const { text, controls, payload } = cardOf(batchOf(database));
    expect(text).toMatchInlineSnapshot(`
      "claude-code · api (main) · started by ana@laptop
      Answer by Aug 3, 2026 at 10:05
      Database · choose one
      Which database?
      Postgres (Recommended)
      What Postgres (Recommended) means.
      SQLite
      What SQLite means."
    `);
    expect(controls.map((control) => control.value)).toEqual([
      '1.request-1.o0',
      '1.request-1.o1',
      '1.request-1.other',
      '1.request-1.skip',
      '1.request-1.note',
      '1.request-1.decline',
    ]);
    expect(payload.text).toBe('[question] Database: Which database? in api (main)');
  });

  test('of any other shape lists everything and has Answer, Skip and Decide without us', () => {
    const { text } = cardOf(batchOf(database, languages));
    expect(text).toMatchInlineSnapshot(`
      "claude-code · api (main) · started by ana@laptop
      Answer by Aug 3, 2026 at 10:05
      1. Database · choose one
      Which database?
      1. Postgres (Recommended): What Postgres (Recommended) means.
      2. SQLite: What SQLite means.
      2. Languages · choose any number
      Which languages?
      1. Go: What Go means.
      2. Rust: What Rust means.
      3. Zig: What Zig means."
    `);
    expect(buttonsOf(batchOf(languages))).toEqual(['Answer…', 'Skip', 'Decide without us']);
  });

  test('of six options, as history may bring them, is answered in a form', () => {
    const many = question('Which?', ['a', 'b', 'c', 'd', 'e', 'f']);
    expect(buttonsOf(batchOf(many))).toEqual(['Answer…', 'Skip', 'Decide without us']);
    expect(buttonsOf(batchOf(question('Which?', ['a', 'b', 'c', 'd', 'e'])))).toContain('e');
  });

  test('of a question without options asks for text', () => {
    const { text, controls } = cardOf(batchOf(question('What name?', [])));
    expect(text).toContain('Choice · write an answer\nWhat name?');
    expect(controls.map((control) => control.text)).toEqual(['Answer…', 'Skip', 'Decide without us']);
  });

  test('shows previews as source text', () => {
    const preview = '<div class="a">\n    <b>&amp; *bold* ```</b>\n</div>';
    const options = [
      { label: 'Grid', description: 'A grid.', preview },
      { label: 'List', description: '' },
    ];
    const { text, payload } = cardOf(batchOf({ ...database, options }));
    expect(text).toContain(preview);
    const types = payload.blocks.flatMap((block) =>
      block.type === 'rich_text' ? block.elements.map((one) => one.type) : [],
    );
    expect(types).toContain('rich_text_preformatted');
  });

  test.each([
    ['long labels', ['Deploy to the production cluster in eu-west-1', 'Deploy to the production cluster in eu-west-2']],
    ['labels that differ in case only', ['Yes', 'YES']],
    ['a label like our own button', ['Skip', 'Run']],
    ['labels that differ in signs only', ['Yes', 'Yes.']],
    ['labels of signs', ['→', '←']],
    ['labels of several lines', ['a\nb', 'c']],
    ['labels like numbered buttons', ['Choose 2', 'Run']],
  ])('numbers the buttons for %s', (_, labels) => {
    const { text, controls } = cardOf(batchOf(question('Which?', labels)));
    expect(controls.slice(0, 2).map((control) => control.text)).toEqual(['Choose 1', 'Choose 2']);
    expect(text).toContain(`1. ${labels[0]}`);
    expect(text).toContain(`2. ${labels[1]}`);
  });

  test('shows labels of 200 and descriptions of 300 characters whole, four times four', () => {
    const long = (letter: string, length: number) => letter.repeat(length);
    const asked = ['a', 'b', 'c', 'd'].map((letter, number) => ({
      ...database,
      question: `Question ${letter}?`,
      multiSelect: number % 2 === 1,
      options: ['w', 'x', 'y', 'z'].map((label) => ({ label: long(label, 200), description: long(letter, 300) })),
    }));
    const { text } = cardOf(batchOf(...asked));
    for (const letter of ['w', 'x', 'y', 'z']) expect(text).toContain(long(letter, 200));
    for (const letter of ['a', 'b', 'c', 'd']) expect(text).toContain(long(letter, 300));
    const single = cardOf(batchOf(asked[0] ?? database)).text;
    expect(single).toContain(`1. ${long('w', 200)}\n${long('a', 300)}`);
  });

  test('keeps mentions, links and markup of the agent inert, also in the fallback text', () => {
    const bad = '<!channel> <@U1> <https://evil.example|Approve> `x` *b* @here https://evil.example :tada:';
    const { text, active, payload } = cardOf(
      batchOf({ ...database, question: bad, header: '<!here>', options: [{ label: bad, description: bad }] }),
    );
    expect(active).toEqual([]);
    expect(text).toContain(bad);
    expect(payload.text).toContain('&lt;!channel&gt;');
    expect(payload.text).not.toMatch(/<[!@#h]/);
  });

  test('says how much of a huge text is not shown', () => {
    const { text } = cardOf(batchOf({ ...database, question: 'w'.repeat(50_000) }));
    expect(text).toMatch(/w+… ⟨4\d,?\d+ more characters⟩/);
  });
});

const sheet = [
  { status: 'answered', labels: ['SQLite'], notes: 'but *not* for the queue' },
  { status: 'answered', labels: ['Go', 'Zig'], other: 'and <!channel> OCaml' },
  { status: 'skipped' },
] as const;
const three = batchOf(database, languages, question('Anything else?', ['Yes', 'No'], { header: 'More' }));

describe('a card that was decided', () => {
  test('is drawn as recorded, without buttons, until the agent has it', () => {
    const decision = { kind: 'answers', sheet } as const;
    const { text, controls, payload } = cardOf(three, { phase: 'recorded', decision, actor: ANA, at });
    expect(controls).toEqual([]);
    expect(text).toMatch(/^⏳ Recorded, waiting for the agent · by Ana · Aug 3, 2026 at 10:05/);
    expect(text).not.toContain('Answered');
    expect(payload.text).toBe('[recorded by Ana] 3 questions: Database, Languages, More in api (main)');
  });

  test('shows who chose what, with Other and notes', () => {
    const outcome: Outcome = { kind: 'partially_answered', sheet };
    expect(cardOf(three, { phase: 'ended', outcome, actor: ANA, at }).text).toMatchInlineSnapshot(`
      "☑️ Partly answered: 2 of 3 questions, the rest skipped · by Ana · Aug 3, 2026 at 10:05
      1. Database
      Which database?
      Options: Postgres (Recommended) · SQLite
      → SQLite
      → Note:
      but *not* for the queue
      2. Languages
      Which languages?
      Options: Go · Rust · Zig
      → Go, Zig
      → Other:
      and <!channel> OCaml
      3. More
      Anything else?
      Options: Yes · No
      Skipped
      claude-code · api (main) · started by ana@laptop"
    `);
  });

  test('has its own look for every outcome', () => {
    const outcomes: Outcome[] = [
      { kind: 'answered', sheet: [{ status: 'answered', labels: ['SQLite'] }] },
      { kind: 'partially_answered', sheet },
      { kind: 'skipped', sheet: [{ status: 'skipped' }] },
      { kind: 'declined' },
      { kind: 'timed_out', shown: true, waitedMs: 300_000 },
      { kind: 'cancelled' },
      { kind: 'superseded' },
      { kind: 'owner_lost' },
      { kind: 'no_channel' },
      { kind: 'undeliverable', reason: 'Slack refused chat.postMessage: not_in_channel' },
      { kind: 'indeterminate' },
    ];
    const looks = outcomes.map((outcome) => {
      const { text, controls, payload } = cardOf(batchOf(database), { phase: 'ended', outcome, actor: ANA, at });
      expect(controls).toEqual([]);
      return `${text.split('\n')[0]}   ${payload.text}`;
    });
    expect(new Set(looks).size).toBe(outcomes.length);
    expect(looks.join('\n')).toMatchInlineSnapshot(`
      "✅ Answered · by Ana · Aug 3, 2026 at 10:05   [answered by Ana] Database: Which database? in api (main)
      ☑️ Partly answered: 2 of 3 questions, the rest skipped · by Ana · Aug 3, 2026 at 10:05   [partly answered by Ana] Database: Which database? in api (main)
      ➡️ Skipped · by Ana · Aug 3, 2026 at 10:05   [skipped by Ana] Database: Which database? in api (main)
      🤖 Left to the agent · by Ana · Aug 3, 2026 at 10:05   [left to the agent by Ana] Database: Which database? in api (main)
      ⏰ Timed out: nobody answered within 5 minutes; the agent went on without an answer · Aug 3, 2026 at 10:05   [timed out] Database: Which database? in api (main)
      🚫 Withdrawn: the agent took the question back before it was answered · Aug 3, 2026 at 10:05   [withdrawn] Database: Which database? in api (main)
      🔄 Replaced: the agent asked anew · Aug 3, 2026 at 10:05   [replaced] Database: Which database? in api (main)
      👻 Agent gone: its run is over, and nobody waits for an answer any more · Aug 3, 2026 at 10:05   [agent gone] Database: Which database? in api (main)
      💤 Not asked: no channel is bound to this run · Aug 3, 2026 at 10:05   [not asked] Database: Which database? in api (main)
      ⚠️ Given up: it could not be posted (Slack refused chat.postMessage: not_in_channel) · Aug 3, 2026 at 10:05   [given up] Database: Which database? in api (main)
      ❔ Not confirmed: an answer was recorded, but it is not known whether it reached the agent · by Ana · Aug 3, 2026 at 10:05   [not confirmed by Ana] Database: Which database? in api (main)"
    `);
  });

  test('can be drawn when nothing is known of it but how it ended', () => {
    const retired = renderRetired({ kind: 'owner_lost' }, at);
    expect(legalMessage(retired).issues).toEqual([]);
    expect(drawMessage(retired).text).toMatchInlineSnapshot(`
      "👻 Agent gone: its run is over, and nobody waits for an answer any more · Aug 3, 2026 at 10:05
      A question of an earlier run."
    `);
  });
});

test('the parent line names agent, workspace, branch and who started it', () => {
  const payload = renderThread(SESSION);
  expect(drawMessage(payload).text).toMatchInlineSnapshot(`
    "Session of claude-code · api (main) · started by ana@laptop
    /home/ana/api"
  `);
  expect(payload.metadata.event_payload).toEqual({ session_id: 'session-1', v: 1 });
});
