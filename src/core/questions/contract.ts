import * as z from 'zod';
import { isBlank, lengthOf, quoted } from '../text.ts';
import { complainAboutPreview } from './preview.ts';

/** Limits of the question contract (product.md "Questions"); they are AskUserQuestion's own. */
export const CONTRACT = {
  questions: { min: 1, max: 4 },
  options: { min: 2, max: 4 },
  /** Code points. */
  header: { min: 1, max: 12 },
} as const;

/** One choice. `preview` is markdown or an HTML fragment, shown as inert text and only with single-select. */
export interface Option {
  readonly label: string;
  readonly description: string;
  readonly preview?: string;
}

/** One question. No options means one text box, which only scripts and history may ask for. */
export interface Question {
  readonly question: string;
  readonly header: string;
  readonly options: readonly Option[];
  readonly multiSelect: boolean;
}

/** What is put to people at once: 1 to 4 questions, answered together. */
export interface QuestionBatch {
  readonly questions: readonly Question[];
  readonly metadata?: { readonly source?: string };
}

/** "Other" is added by every surface; an agent may not offer it (Claude's own list of spellings). */
const RESERVED_LABELS: ReadonlySet<string> = new Set(['other', '其他', '其它', '自定义']);

/** Whether a label, trimmed and case-folded, is one of the spellings of "Other". */
export function isOtherLabel(label: string): boolean {
  return RESERVED_LABELS.has(label.trim().toLowerCase());
}

/** A string with something to see in it; the complaints name `what`. */
export const visibleText = (what: string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? `${what} is missing` : `${what} must be a string`) })
    .refine((text) => !isBlank(text), { error: `${what} must not be blank` });

/** What to say of something that is no such object, or holds more than it may. */
const shape = (expected: string) => ({
  error: (issue: { code?: string | undefined; keys?: readonly string[] }) =>
    issue.code === 'unrecognized_keys'
      ? `remove ${(issue.keys ?? []).slice(0, 5).map(quoted).join(', ')}: the contract has no such key here`
      : expected,
});

const option = z.strictObject(
  {
    label: visibleText('the label')
      .refine((label) => !isOtherLabel(label), {
        error: 'remove this option: "Other" with a text box is always added for the operator',
      })
      .describe(
        'What the operator picks, 1-5 words. Put a recommended option first and end its label with "(Recommended)".',
      ),
    description: visibleText('the description').describe('What choosing this means, in one sentence.'),
    preview: z
      .string({ error: 'the preview must be a string' })
      .superRefine((preview, context) => {
        const complaint = complainAboutPreview(preview);
        if (complaint !== undefined) context.addIssue({ code: 'custom', message: complaint });
      })
      .optional()
      .describe(
        'Only for single-select: a snippet to compare, as markdown or an HTML fragment. Shown as plain source text.',
      ),
  },
  shape('make this an object with label and description, and preview if you like'),
);

const question = z
  .strictObject(
    {
      question: visibleText('the question').describe(
        'The whole question, ending in a question mark. Unique in this call.',
      ),
      header: visibleText('the header')
        .refine((header) => lengthOf(header) <= CONTRACT.header.max, {
          error: (issue) =>
            `the header has ${lengthOf(String(issue.input))} characters; use at most ${CONTRACT.header.max}, such as "Database"`,
        })
        .describe(`A short tag for the question, at most ${CONTRACT.header.max} characters.`),
      options: z
        .array(option, { error: 'give options, a list of 2 to 4 choices' })
        .min(CONTRACT.options.min, { error: `give at least ${CONTRACT.options.min} options; "Other" is added for you` })
        .max(CONTRACT.options.max, { error: `give at most ${CONTRACT.options.max} options; "Other" is added for you` }),
      multiSelect: z
        .boolean({ error: 'multiSelect must be true or false' })
        .default(false)
        .describe('true when several options may be chosen together, else false.'),
    },
    shape('make this an object with question, header, options and multiSelect'),
  )
  .superRefine((asked, context) => {
    for (const label of repeated(asked.options.map((choice) => choice.label))) {
      context.addIssue({
        code: 'custom',
        path: ['options'],
        message: `two options are called ${quoted(label)}; make the labels differ`,
      });
    }
    if (asked.multiSelect && asked.options.some((choice) => choice.preview !== undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['options'],
        message: 'previews work only with multiSelect: false; remove them',
      });
    }
  });

/** The contract a model's call has to meet, to the letter. Messages say what to change. */
export const questionBatchSchema = z
  .strictObject(
    {
      questions: z
        .array(question, { error: 'give questions, a list of 1 to 4' })
        .min(CONTRACT.questions.min, { error: 'ask at least one question' })
        .max(CONTRACT.questions.max, { error: `ask at most ${CONTRACT.questions.max} questions in one call` }),
      metadata: z
        .strictObject(
          { source: z.string({ error: 'must be a string' }).optional() },
          shape('make this an object with source, or leave it out'),
        )
        .optional()
        .describe('Where the question comes from; recorded, not shown.'),
    },
    shape('send an object with questions, and metadata if you like'),
  )
  .superRefine((batch, context) => {
    for (const text of repeated(batch.questions.map((asked) => asked.question))) {
      context.addIssue({
        code: 'custom',
        path: ['questions'],
        message: `two questions read ${quoted(text)}; answers are keyed by the text, so make them differ`,
      });
    }
  });

/** Texts that occur twice once trimmed, each once. */
export function repeated(texts: readonly string[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const text of texts) {
    const key = text.trim();
    if (seen.has(key)) twice.add(key);
    seen.add(key);
  }
  return [...twice];
}
