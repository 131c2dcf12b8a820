import { expect, it } from 'vitest';
import { ASK_CLAUSE, PROCEED_CLAUSE } from '../../src/agents/clauses.ts';
import { undecided } from '../../src/bridge/approve-tool.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import { GRANT_ENDS } from '../../src/core/grants/grant.ts';
import { type Outcome, replyToModel, type ToolReply, unreachableReply } from '../../src/core/outcomes.ts';
import { decodeAnswers } from '../../src/core/questions/answers.ts';
import { askInputSchema } from '../../src/core/questions/json-schema.ts';
import { normaliseQuestions } from '../../src/core/questions/normalise.ts';
import { ASK_TOOL } from '../../src/core/questions/tool-text.ts';
import { type Denial, denial, denialOf, grantOver, refusedBefore } from '../../src/gate/denials.ts';
import { planDenial } from '../../src/gate/plan-approval.ts';
import { batchOf, question } from '../support/requests.ts';
import { RULES } from './core/questions/rules.ts';
import { WRONG_ANSWERS } from './core/questions/wrong-answers.ts';

const BATCH = batchOf(
  question('Which database?', ['Postgres', 'SQLite']),
  question('Which languages?', ['Go', 'Rust'], { multiSelect: true }),
);
const SKIPPED = { status: 'skipped' } as const;
const SQLITE = { status: 'answered', labels: ['SQLite'], notes: 'for now' } as const;

const OUTCOMES: readonly (readonly [string, Outcome])[] = [
  ['answered', { kind: 'answered', sheet: [SQLITE, { status: 'answered', labels: ['Go'], other: 'Zig, perhaps' }] }],
  ['partially_answered', { kind: 'partially_answered', sheet: [SQLITE, SKIPPED] }],
  ['skipped', { kind: 'skipped', sheet: [SKIPPED, SKIPPED] }],
  ['declined', { kind: 'declined' }],
  ['timed_out', { kind: 'timed_out', shown: true, waitedMs: 300_000 }],
  ['timed_out, never shown', { kind: 'timed_out', shown: false, waitedMs: 900_000 }],
  ['cancelled', { kind: 'cancelled' }],
  ['superseded', { kind: 'superseded' }],
  ['owner_lost', { kind: 'owner_lost' }],
  ['no_channel', { kind: 'no_channel' }],
  ['undeliverable', { kind: 'undeliverable', reason: 'Slack refused chat.postMessage: not_in_channel' }],
  ['indeterminate', { kind: 'indeterminate' }],
  ['indeterminate, not believed', { kind: 'indeterminate', reason: 'bad_signature' }],
];

const DENIALS: readonly (readonly [string, Denial])[] = [
  ...(
    [
      'names_handraise',
      'secret',
      'too_large',
      'not_understood',
      'too_many',
      'unanswered_before',
      'drifted',
      'not_recorded',
    ] as const
  ).map((kind) => [kind, denial(kind)] as const),
  ['refused_before', refusedBefore(undefined)],
  ['refused_before, with a note', refusedBefore('Use "npm ci".')],
  ['denied', denialOf({ kind: 'denied' })],
  ['denied, with a note', denialOf({ kind: 'denied', note: 'Use "npm ci".' })],
  ['timed_out', denialOf({ kind: 'timed_out', shown: true, waitedMs: 300_000 })],
  ['cancelled', denialOf({ kind: 'cancelled' })],
  ['superseded', denialOf({ kind: 'superseded' })],
  ['owner_lost', denialOf({ kind: 'owner_lost' })],
  ['no_channel', denialOf({ kind: 'no_channel' })],
  ['no_channel, with its cure', denialOf({ kind: 'no_channel', cure: 'nobody may approve here' })],
  ['undeliverable', denialOf({ kind: 'undeliverable', reason: 'Slack refused chat.postMessage: not_in_channel' })],
  ['indeterminate', denialOf({ kind: 'indeterminate' })],
  ...[undefined, ...GRANT_ENDS].map((why) => [`grant_over: ${why ?? 'nobody knows why'}`, grantOver(why)] as const),
];

const PLAN_OUTCOMES: readonly Outcome[] = [
  { kind: 'answered', sheet: [{ status: 'answered', labels: ['Keep planning'], notes: 'Use the cache of the API.' }] },
  { kind: 'declined' },
  { kind: 'timed_out', shown: true, waitedMs: 300_000 },
  { kind: 'cancelled' },
  { kind: 'no_channel' },
  { kind: 'undeliverable', reason: 'Slack refused chat.postMessage: not_in_channel' },
  { kind: 'indeterminate' },
];

it('are all in one file to be read, and change only on purpose', async () => {
  const chapters = [
    '# Every text a model can receive',
    'Written by texts-for-models.test.ts; `npx vitest -u` renews it. Read it as a model would.',
    '## In the system prompt, when people can be asked',
    quoted(ASK_CLAUSE),
    '## In the system prompt, when nobody can be asked',
    quoted(PROCEED_CLAUSE),
    '## The tool',
    quoted(`${ASK_TOOL.name} (${ASK_TOOL.title})\n${ASK_TOOL.description}`),
    ...descriptionsIn(askInputSchema()).map(([path, text]) => `- \`${path}\`: ${text}`),
    '## Results, by outcome',
    ...OUTCOMES.map(([name, outcome]) => reply(name, replyToModel(BATCH, outcome))),
    reply('nobody behind the socket', unreachableReply('this agent was not started by handraise')),
    '## Steps that are not run',
    'As the agent gets them in place of a result.',
    ...DENIALS.map(([name, { message }]) => `### ${name}\n\n${quoted(message)}`),
    `### nobody behind the socket\n\n${quoted(undecided('this agent was not started by handraise').message)}`,
    '## Plans that are not started',
    ...PLAN_OUTCOMES.map((outcome) => `### ${outcome.kind}\n\n${quoted(planDenial(outcome))}`),
    '## Questions that are refused',
    'Each text with the rules that lead to it, and for whom. The full stop is followed by "Correct the call and ask again."',
    ...byText(
      RULES.map(({ origin, rule, refused }) => [
        `${origin}: ${rule}`,
        refusalOf(() => normaliseQuestions(refused, origin)),
      ]),
    ),
    '## Answers that are refused',
    'For whoever writes answers to a file or a wire.',
    ...byText(WRONG_ANSWERS.map(({ what, batch, input }) => [what, refusalOf(() => decodeAnswers(batch, input))])),
  ];
  await expect(`${chapters.join('\n\n')}\n`).toMatchFileSnapshot('./texts-for-models.md');
});

function reply(name: string, { text, isError }: ToolReply): string {
  return `### ${name}${isError ? ' (tool error)' : ''}\n\n${quoted(text)}`;
}

/** Every text once, below everything that leads to it. */
function byText(pairs: readonly (readonly [string, string])[]): string[] {
  const causes = new Map<string, string[]>();
  for (const [cause, text] of pairs) causes.set(text, [...(causes.get(text) ?? []), cause]);
  return [...causes].map(([text, all]) => `${all.map((cause) => `- ${cause}`).join('\n')}\n\n${quoted(text)}`);
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n>\n');
}

function descriptionsIn(node: unknown, path = ''): [string, string][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]): [string, string][] =>
    key === 'description' && typeof value === 'string'
      ? [[path, value]]
      : descriptionsIn(
          value,
          key === 'properties' || key === 'items' ? path : `${path}${path === '' ? '' : '.'}${key}`,
        ),
  );
}

function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    return sentenceOf(thrown);
  }
  throw new Error('it was accepted');
}
