import { expect, it } from 'vitest';
import { cureOf } from '../../adapters/slack/cures.ts';
import { answerForm, messageView, otherForm } from '../../adapters/slack/form.ts';
import { readForm } from '../../adapters/slack/form-answers.ts';
import { renderInbox } from '../../adapters/slack/inbox-view.ts';
import { denyForm, reviewForm, tooLongView } from '../../adapters/slack/proposal-form.ts';
import { renderCard, renderRetired, renderThread } from '../../adapters/slack/render.ts';
import { SENTENCES } from '../../adapters/slack/replies.ts';
import { type Outcome, WITHHELD } from '../../src/core/outcomes.ts';
import type { CardPhase, Inbox, LaterAction } from '../../src/core/ports/surface-adapter.ts';
import type { Proposal } from '../../src/core/proposals/contract.ts';
import { proposalView, questionView } from '../../src/prompt/card-view.ts';
import { INBOX_FORBIDDEN, INBOX_UNREACHABLE, inboxRefused } from '../../src/prompt/inbox-words.ts';
import { pushOf, writeOf } from '../support/proposals.ts';
import { ANA, batchOf, question, SESSION } from '../support/requests.ts';

const AT = Date.UTC(2026, 7, 3, 10);
const ONE = batchOf(question('Which database?', ['Postgres', 'SQLite']));
const TWO = batchOf(
  question('Which database?', ['Postgres', 'SQLite']),
  question('Which languages?', ['Go', 'Rust'], { multiSelect: true }),
);
const SHEET = [
  { status: 'answered', labels: ['SQLite'], notes: 'for now' },
  { status: 'answered', labels: ['Go'], other: 'Zig, perhaps' },
] as const;
const SKIPPED = { status: 'skipped' } as const;

const ENDS: readonly (readonly [string, Outcome, boolean])[] = [
  ['answered', { kind: 'answered', sheet: SHEET }, true],
  ['partially_answered', { kind: 'partially_answered', sheet: [SHEET[0], SKIPPED] }, true],
  ['skipped', { kind: 'skipped', sheet: [SKIPPED, SKIPPED] }, true],
  ['declined', { kind: 'declined' }, true],
  ['timed_out', { kind: 'timed_out', shown: true, waitedMs: 300_000 }, false],
  ['cancelled', { kind: 'cancelled' }, false],
  ['superseded', { kind: 'superseded' }, false],
  ['owner_lost', { kind: 'owner_lost' }, false],
  ['undeliverable', { kind: 'undeliverable', reason: 'Slack refused chat.postMessage: not_in_channel' }, false],
  ['indeterminate', { kind: 'indeterminate' }, true],
  ['indeterminate, not believed', { kind: 'indeterminate', reason: 'bad_signature' }, false],
];

const WAITING: CardPhase = { phase: 'open', deadline: AT, approvers: '2 people on Slack' };
const LONG = `${'echo x\n'.repeat(45)}rm last`;
const PROPOSAL_ENDS: readonly (readonly [string, Outcome, LaterAction?])[] = [
  ['granted, while the grant is good', { kind: 'granted', scope: 'turn' }, 'revoke'],
  ['granted once', { kind: 'granted', scope: 'action' }],
  ['denied with a note', { kind: 'denied', note: 'Use the staging bucket.' }],
  ['timed_out', { kind: 'timed_out', shown: true, waitedMs: 300_000 }, 'askagain'],
  ['cancelled', { kind: 'cancelled' }],
  ['superseded', { kind: 'superseded' }],
  ['owner_lost', { kind: 'owner_lost' }],
  ['undeliverable', { kind: 'undeliverable', reason: 'Slack refused chat.postMessage: not_in_channel' }],
  ['indeterminate', { kind: 'indeterminate' }],
  ...WITHHELD.map((withheld) => [`indeterminate, not run: ${withheld}`, { kind: 'indeterminate', withheld }] as const),
  ['indeterminate, not believed', { kind: 'indeterminate', reason: 'bad_signature' }],
];

const CODES = [
  'missing_scope',
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'not_allowed_token_type',
  'restricted_action',
  'account_inactive',
  'invalid_auth',
];

it('are all in one file to be read, and change only on purpose', async () => {
  const view = (batch: typeof ONE) => questionView('r1', SESSION, batch);
  const place = { requestId: 'r1' };
  const card = (batch: typeof ONE, state: CardPhase) => {
    const { text, blocks } = renderCard({ view: view(batch), state });
    return [`Lock screen: ${text}`, ...wordsIn(blocks)];
  };
  const step = (proposal: Proposal) => proposalView('r1', SESSION, proposal);
  const proposed = (proposal: Proposal, state: CardPhase) => {
    const { text, blocks } = renderCard({ view: step(proposal), state });
    return [`Lock screen: ${text}`, ...wordsIn(blocks)];
  };
  const ended = ([name, outcome, byAna]: (typeof ENDS)[number]) =>
    chapter(`Ended: ${name}`, card(TWO, { phase: 'ended', outcome, at: AT, ...(byAna ? { actor: ANA } : {}) }));
  const chapters = [
    '# Every text a person can receive in Slack',
    'Written by texts-for-people.test.ts; `npx vitest -u` renews it. Read it as somebody on a phone would. What a late or',
    'foreign click is told stands in prompt/__snapshots__/private-replies.test.ts.snap.',
    chapter('The session’s thread', [
      `Lock screen: ${renderThread(SESSION).text}`,
      ...wordsIn(renderThread(SESSION).blocks),
    ]),
    chapter('Open, one question with single choice', card(ONE, { phase: 'open', deadline: AT })),
    chapter('Open, several questions', card(TWO, { phase: 'open', deadline: AT })),
    chapter(
      'Recorded',
      card(ONE, { phase: 'recorded', decision: { kind: 'answers', sheet: [SHEET[0]] }, actor: ANA, at: AT }),
    ),
    ...ENDS.map(ended),
    chapter('A proposal, open', proposed(writeOf({ agentSays: 'Creates the file.' }), WAITING)),
    chapter('A proposal of an external step', proposed(pushOf(), WAITING)),
    chapter(
      'A proposal that is too long for its card',
      proposed(writeOf({ full: { kind: 'command', text: LONG } }), WAITING),
    ),
    chapter('Its Review', wordsIn(reviewForm(step(writeOf()), place))),
    chapter('The form behind Deny with note…', wordsIn(denyForm(step(writeOf()), place))),
    chapter('A proposal that is longer than Slack can show', wordsIn(tooLongView())),
    ...PROPOSAL_ENDS.map(([name, outcome, later]) =>
      chapter(
        `A proposal, ended: ${name}`,
        proposed(writeOf(), {
          phase: 'ended',
          outcome,
          at: AT,
          ...(outcome.kind === 'granted' || outcome.kind === 'denied' ? { actor: ANA } : {}),
          ...(later === undefined ? {} : { later }),
        }),
      ),
    ),
    chapter('A card of a run that was killed', wordsIn(renderRetired({ kind: 'owner_lost' }, AT).blocks)),
    chapter('The answer form', wordsIn(answerForm(view(TWO), place))),
    chapter('The form behind Other…', wordsIn(otherForm(view(ONE), place))),
    chapter('A sentence in place of a form', wordsIn(messageView(SENTENCES.loading))),
    chapter('The Home tab', home({ entries: [ONE, TWO].map((batch) => waiting(view(batch))), more: 1 })),
    chapter('The Home tab when nothing is open', home({ entries: [], more: 0 })),
    chapter('The Home tab of people who may not answer, and when it cannot be told', [
      ...OUTSIDERS.map((standing) => inboxRefused(standing, 'slack')),
      INBOX_UNREACHABLE,
      INBOX_FORBIDDEN,
    ]),
    chapter('Private sentences of the adapter', Object.values(SENTENCES)),
    chapter('Errors in the form', formErrors()),
    chapter(
      'Cures for whoever runs handraise',
      CODES.map((code) => `${code}: ${cureOf(code, 'bot', 'users:read')}`),
    ),
  ];
  await expect(`${chapters.join('\n\n')}\n`).toMatchFileSnapshot('./texts-for-people.md');
});

const OUTSIDERS = ['guest', 'stranger', 'bot', 'deactivated', 'unverified'] as const;

function waiting(view: ReturnType<typeof questionView>) {
  const card = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.2', thread: '1.1' } as const;
  return { view, deadline: AT, card };
}

function home(inbox: Inbox): string[] {
  return wordsIn(renderInbox(inbox, 'https://acme.slack.com/', AT).blocks);
}

function chapter(title: string, lines: readonly string[]): string {
  return [`## ${title}`, ...lines.map((line) => `> ${line.replaceAll('\n', '\n> ')}`)].join('\n\n');
}

/** Every text in a payload, in drawing order. Values, ids and metadata are not drawn. */
function wordsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(wordsIn);
  if (typeof node !== 'object' || node === null) return [];
  if ('type' in node && node.type === 'rich_text_section') return [wordsOf(node)];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'text' && typeof value === 'string' ? [value] : key === 'private_metadata' ? [] : wordsIn(value),
  );
}

function wordsOf(section: object): string {
  const { elements } = section as { elements: readonly { text?: string; name?: string; fallback?: string }[] };
  return elements.map(({ text, name, fallback }) => text ?? fallback ?? `:${name}:`).join('');
}

/** What each slip in filling the form in is told. */
function formErrors(): string[] {
  const picked = (value: string) => ({ pick: { type: 'radio_buttons', selected_option: { value } } });
  const typed = (field: string, value: string) => ({ [field]: { type: 'plain_text_input', value } });
  const slips = [
    { 'q0.pick': { pick: { type: 'radio_buttons', selected_option: null } }, 'q0.other': typed('other', '') },
    { 'q0.pick': picked('o0'), 'q0.other': typed('other', 'something else') },
    { 'q0.pick': picked('other'), 'q0.other': typed('other', ' ') },
    { 'q0.pick': { pick: { type: 'radio_buttons', selected_option: null } }, 'q0.notes': typed('notes', 'a note') },
  ];
  return slips.flatMap((values) => {
    const reading = readForm(values as Parameters<typeof readForm>[0]);
    return reading.ok ? ['(no error)'] : Object.values(reading.errors);
  });
}
