import * as z from 'zod';
import { CONTRACT, visibleText } from './contract.ts';

/** What scripts and older wires may send: much may be left out or null, labels may stand alone, unknown keys are ignored. */
const option = z.preprocess(
  (value) => (typeof value === 'string' ? { label: value } : value),
  z.object(
    {
      label: visibleText('the label'),
      description: z.string({ error: 'the description must be a string' }).nullish(),
      preview: z.string({ error: 'the preview must be a string' }).nullish(),
    },
    { error: 'make this a label, or an object with label and description' },
  ),
);

const question = z.object(
  {
    question: visibleText('the question'),
    header: z.string({ error: 'the header must be a string' }).nullish(),
    options: z.array(option, { error: 'options must be a list' }).nullish(),
    multiSelect: z.boolean({ error: 'multiSelect must be true or false' }).nullish(),
  },
  { error: 'make this an object with question, and options if there are any' },
);

export type LooseQuestion = z.output<typeof question>;

/** A batch, or one question without the list around it. */
export const lenientSchema = z.preprocess(
  (value) => (isFlat(value) ? { questions: [value] } : value),
  z.object(
    {
      questions: z
        .array(question, { error: 'give questions, a list of 1 to 4, or one question as {"question":"…"}' })
        .min(CONTRACT.questions.min, { error: 'ask at least one question' })
        .max(CONTRACT.questions.max, { error: `ask at most ${CONTRACT.questions.max} questions in one call` }),
      metadata: z
        .object(
          { source: z.string({ error: 'must be a string' }).optional() },
          { error: 'make this an object with source, or leave it out' },
        )
        .nullish(),
    },
    { error: 'send an object with questions' },
  ),
);

function isFlat(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'question' in value && !('questions' in value);
}
