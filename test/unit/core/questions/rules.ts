import type { Origin } from '../../../../src/core/questions/normalise.ts';

/** One rule of product.md "Questions": an input that breaks it, what its author is told, and the nearest legal input. */
export interface Rule {
  readonly rule: string;
  readonly origin: Origin;
  readonly refused: unknown;
  /** The complaint, without "The questions were not asked: " and the full stop. */
  readonly says: string;
  readonly accepted: unknown;
}

const A = { label: 'Postgres', description: 'A server of its own.' };
const B = { label: 'SQLite', description: 'A file next to the code.' };
const C = { label: 'DuckDB', description: 'For analysis.' };
const D = { label: 'MySQL', description: 'The other server.' };
const E = { label: 'Redis', description: 'In memory.' };

/** A question that breaks no rule, with changes. */
export function asked(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { question: 'Which database?', header: 'Database', options: [A, B], multiSelect: false, ...more };
}

/** A call with these questions, each `asked` with changes; the texts differ. */
export function call(...questions: Record<string, unknown>[]): Record<string, unknown> {
  return {
    questions: questions.map((more, index) => asked(index === 0 ? more : { question: `Question ${index}?`, ...more })),
  };
}

function without(key: string): Record<string, unknown> {
  const { [key]: _, ...rest } = asked();
  return { questions: [rest] };
}

function many(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, () => ({}));
}

function withPreview(preview: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return call({ options: [{ ...A, preview }, B], ...more });
}

const NINE = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

const FOR_MODELS: readonly Omit<Rule, 'origin'>[] = [
  {
    rule: 'the call is an object',
    refused: 'Which database?',
    says: 'send an object with questions, and metadata if you like',
    accepted: call({}),
  },
  {
    rule: 'there are questions',
    refused: {},
    says: 'questions: give questions, a list of 1 to 4',
    accepted: call({}),
  },
  {
    rule: 'a flat question is history, not a call',
    refused: asked(),
    says: 'questions: give questions, a list of 1 to 4; remove "question", "header", "options", "multiSelect": the contract has no such key here',
    accepted: { questions: [asked()] },
  },
  {
    rule: 'at least one question',
    refused: { questions: [] },
    says: 'questions: ask at least one question',
    accepted: call({}),
  },
  {
    rule: 'at most four questions',
    refused: call(...many(5)),
    says: 'questions: ask at most 4 questions in one call',
    accepted: call(...many(4)),
  },
  {
    rule: 'each question is an object',
    refused: { questions: ['Which database?'] },
    says: 'questions[0]: make this an object with question, header, options and multiSelect',
    accepted: call({}),
  },
  {
    rule: 'question texts are unique',
    refused: call({}, { question: ' Which database? ' }),
    says: 'questions: two questions read "Which database?"; answers are keyed by the text, so make them differ',
    accepted: call({}, { question: 'Which database in tests?' }),
  },
  {
    rule: 'a question has a text',
    refused: without('question'),
    says: 'questions[0].question: the question is missing',
    accepted: call({ question: '?' }),
  },
  {
    rule: 'the text is a string',
    refused: call({ question: 5 }),
    says: 'questions[0].question: the question must be a string',
    accepted: call({ question: '5' }),
  },
  {
    rule: 'the text is not blank',
    refused: call({ question: ' \n' }),
    says: 'questions[0].question: the question must not be blank',
    accepted: call({ question: '__proto__' }),
  },
  {
    rule: 'a question has a header',
    refused: without('header'),
    says: 'questions[0].header: the header is missing',
    accepted: call({ header: 'DB' }),
  },
  {
    rule: 'the header has at least one character',
    refused: call({ header: '' }),
    says: 'questions[0].header: the header must not be blank',
    accepted: call({ header: 'D' }),
  },
  {
    rule: 'the header has at most twelve characters',
    refused: call({ header: 'Which storage' }),
    says: 'questions[0].header: the header has 13 characters; use at most 12, such as "Database"',
    accepted: call({ header: 'Data storage' }),
  },
  {
    rule: 'characters are code points: an emoji is one',
    refused: call({ header: '🗄'.repeat(13) }),
    says: 'questions[0].header: the header has 13 characters; use at most 12, such as "Database"',
    accepted: call({ header: '🗄'.repeat(12) }),
  },
  {
    rule: 'a question has options',
    refused: without('options'),
    says: 'questions[0].options: give options, a list of 2 to 4 choices',
    accepted: call({ options: [A, B] }),
  },
  {
    rule: 'at least two options',
    refused: call({ options: [A] }),
    says: 'questions[0].options: give at least 2 options; "Other" is added for you',
    accepted: call({ options: [A, B] }),
  },
  {
    rule: 'at most four options',
    refused: call({ options: [A, B, C, D, E] }),
    says: 'questions[0].options: give at most 4 options; "Other" is added for you',
    accepted: call({ options: [A, B, C, D] }),
  },
  {
    rule: 'each option is an object',
    refused: call({ options: ['Postgres', B] }),
    says: 'questions[0].options[0]: make this an object with label and description, and preview if you like',
    accepted: call({ options: [A, B] }),
  },
  {
    rule: 'labels are unique within a question',
    refused: call({ options: [A, { ...B, label: 'Postgres ' }] }),
    says: 'questions[0].options: two options are called "Postgres"; make the labels differ',
    accepted: call({ options: [A, B] }, { options: [A, B] }),
  },
  {
    rule: 'an option has a label',
    refused: call({ options: [A, { description: 'A file.' }] }),
    says: 'questions[0].options[1].label: the label is missing',
    accepted: call({ options: [A, { ...B, label: 'x' }] }),
  },
  {
    rule: 'a label is not blank',
    refused: call({ options: [A, { ...B, label: '\t' }] }),
    says: 'questions[0].options[1].label: the label must not be blank',
    accepted: call({ options: [A, { ...B, label: '-' }] }),
  },
  {
    rule: 'the description is required',
    refused: call({ options: [A, { label: 'SQLite' }] }),
    says: 'questions[0].options[1].description: the description is missing',
    accepted: call({ options: [A, { label: 'SQLite', description: 'A file.' }] }),
  },
  {
    rule: 'the description is not blank',
    refused: call({ options: [A, { label: 'SQLite', description: '' }] }),
    says: 'questions[0].options[1].description: the description must not be blank',
    accepted: call({ options: [A, { label: 'SQLite', description: '.' }] }),
  },
  ...['Other', ' oTHER ', '其他', '其它', '自定义'].map((label) => ({
    rule: `no option is called "${label}"`,
    refused: call({ options: [A, { ...B, label }] }),
    says: 'questions[0].options[1].label: remove this option: "Other" with a text box is always added for the operator',
    accepted: call({ options: [A, { ...B, label: `${label.trim()} database` }] }),
  })),
  {
    rule: 'multiSelect is true or false; left out, it is false',
    refused: call({ multiSelect: 'yes' }),
    says: 'questions[0].multiSelect: multiSelect must be true or false',
    accepted: without('multiSelect'),
  },
  {
    rule: 'a preview is a string',
    refused: withPreview(5),
    says: 'questions[0].options[0].preview: the preview must be a string',
    accepted: withPreview('`5`'),
  },
  {
    rule: 'a preview is not blank',
    refused: withPreview(' '),
    says: 'questions[0].options[0].preview: the preview must not be blank; leave it out instead',
    accepted: call({}),
  },
  {
    rule: 'a preview goes with single-select only',
    refused: withPreview('# Plan', { multiSelect: true }),
    says: 'questions[0].options: previews work only with multiSelect: false; remove them',
    accepted: withPreview('# Plan'),
  },
  ...[
    '<!DOCTYPE html><p>x</p>',
    '<html><p>x</p></html>',
    '<BODY>x</BODY>',
    '<script>x</script>',
    '<p>x</p><style>p{}</style>',
  ].map((preview) => ({
    rule: `a preview is a fragment, unlike ${preview}`,
    refused: withPreview(preview),
    says: 'questions[0].options[0].preview: the preview must be a fragment: no doctype, html, body, script or style',
    accepted: withPreview('<div class="x"><p>x</p></div>'),
  })),
  {
    rule: 'a preview that looks like HTML holds a real tag',
    refused: withPreview('< 3 or more'),
    says: 'questions[0].options[0].preview: the preview looks like HTML but holds no tag; send markdown, or a fragment such as <div>…</div>',
    accepted: withPreview('a < 3 and b > 4'),
  },
  {
    rule: 'tags with a hyphen are tags',
    refused: withPreview('<>'),
    says: 'questions[0].options[0].preview: the preview looks like HTML but holds no tag; send markdown, or a fragment such as <div>…</div>',
    accepted: withPreview('<style-guide>x</style-guide>'),
  },
  {
    rule: 'a call holds nothing else',
    refused: { ...call({}), context: 'why' },
    says: 'remove "context": the contract has no such key here',
    accepted: { ...call({}), metadata: { source: 'planning' } },
  },
  {
    rule: 'a question holds nothing else',
    refused: call({ id: 'q1' }),
    says: 'questions[0]: remove "id": the contract has no such key here',
    accepted: call({}),
  },
  {
    rule: 'an option holds nothing else',
    refused: call({ options: [A, { ...B, value: 2 }] }),
    says: 'questions[0].options[1]: remove "value": the contract has no such key here',
    accepted: call({}),
  },
  {
    rule: 'metadata is an object with a source',
    refused: { ...call({}), metadata: 'planning' },
    says: 'metadata: make this an object with source, or leave it out',
    accepted: { ...call({}), metadata: {} },
  },
  {
    rule: 'the source is a string',
    refused: { ...call({}), metadata: { source: 5 } },
    says: 'metadata.source: must be a string',
    accepted: { ...call({}), metadata: { source: '5' } },
  },
  {
    rule: 'every complaint is told at once, up to five',
    refused: call({ question: '', header: '', options: [{}, {}] }),
    says:
      'questions[0].question: the question must not be blank; questions[0].header: the header must not be blank; ' +
      'questions[0].options[0].label: the label is missing; questions[0].options[0].description: the description is missing; ' +
      'questions[0].options[1].label: the label is missing; and 1 more',
    accepted: call({}),
  },
];

const FOR_CALLERS: readonly Omit<Rule, 'origin'>[] = [
  {
    rule: 'a caller sends questions or one question',
    refused: { ask: 'Which database?' },
    says: 'questions: give questions, a list of 1 to 4, or one question as {"question":"…"}',
    accepted: { question: 'Which database?' },
  },
  {
    rule: 'a caller asks at least one question',
    refused: { questions: [] },
    says: 'questions: ask at least one question',
    accepted: { questions: [{ question: 'Which database?' }] },
  },
  {
    rule: 'a caller asks at most four questions',
    refused: call(...many(5)),
    says: 'questions: ask at most 4 questions in one call',
    accepted: call(...many(4)),
  },
  {
    rule: 'a caller writes a text for every question',
    refused: { questions: [{ options: ['a', 'b'] }] },
    says: 'questions[0].question: the question is missing',
    accepted: { questions: [{ question: 'Which?', options: ['a', 'b'] }] },
  },
  {
    rule: 'a caller gives no options or two to four',
    refused: { question: 'Go on?', options: ['Yes'] },
    says: '"Go on?" has 1 option; give none, for a text box, or 2 to 4',
    accepted: { question: 'Go on?', options: [] },
  },
  {
    rule: 'a caller gives at most four options',
    refused: { question: 'Which?', options: NINE.slice(0, 5) },
    says: '"Which?" has 5 options; give at most 4',
    accepted: { question: 'Which?', options: NINE.slice(0, 4) },
  },
  {
    rule: 'a caller gives different labels',
    refused: { question: 'Which?', options: ['a', 'a'] },
    says: '"Which?" offers "a" twice; make the labels differ',
    accepted: { question: 'Which?', options: ['a', 'A'] },
  },
  {
    rule: 'a caller gives labels as text',
    refused: { question: 'Which?', options: [1, 'b'] },
    says: 'questions[0].options[0]: make this a label, or an object with label and description',
    accepted: { question: 'Which?', options: ['1', 'b'] },
  },
  {
    rule: 'a caller holds to the rules of previews',
    refused: { question: 'Which?', options: [{ label: 'a', preview: '<script>' }, 'b'] },
    says: 'option "a": the preview must be a fragment: no doctype, html, body, script or style',
    accepted: { question: 'Which?', options: [{ label: 'a', preview: '# a' }, 'b'] },
  },
  {
    rule: 'a caller asks different questions',
    refused: { questions: [{ question: 'Which?' }, { question: 'Which?' }] },
    says: 'two questions read "Which?"; answers are keyed by the text, so make them differ',
    accepted: { questions: [{ question: 'Which?' }, { question: 'Which else?' }] },
  },
];

const FOR_HISTORY: readonly Omit<Rule, 'origin'>[] = [
  {
    rule: 'history carries at most nine options',
    refused: { questions: [{ question: 'Which?', options: [...NINE, 'j'] }] },
    says: '"Which?" has 10 options; give at most 9',
    accepted: { questions: [{ question: 'Which?', options: NINE }] },
  },
  {
    rule: 'history has a text for every question',
    refused: { questions: [{ question: '  ', options: ['a', 'b'] }] },
    says: 'questions[0].question: the question must not be blank',
    accepted: { questions: [{ question: 'Which?', options: ['a', 'b'] }] },
  },
];

/** Every rule, with whoever has to keep it. */
export const RULES: readonly Rule[] = [
  ...FOR_MODELS.map((rule) => ({ ...rule, origin: 'model' as const })),
  ...FOR_CALLERS.map((rule) => ({ ...rule, origin: 'caller' as const })),
  ...FOR_HISTORY.map((rule) => ({ ...rule, origin: 'history' as const })),
];
