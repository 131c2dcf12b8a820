import * as z from 'zod';
import { HandraiseError } from '../errors.ts';
import { isBlank } from '../text.ts';
import { complainAboutPreview, isOtherLabel, type QuestionBatch, questionBatchSchema, repeated } from './contract.ts';

/**
 * Who wrote the batch. A `model` is held to the contract, since it can correct its call; a `caller` (a script or the
 * library) may leave out headers and descriptions and may ask for plain text; `history` (the older wire without a
 * version) is understood as far as it can be, since nobody is there to correct it.
 */
export type Origin = 'model' | 'caller' | 'history';

/** Most options history may carry: what the older bridges let through. */
const MOST_HISTORIC_OPTIONS = 9;

/**
 * The one place where questions enter. Returns a batch every later stage can rely on: 1 to 4 questions with unique
 * texts, unique labels, no "Other" among them. Throws `invalid_questions` with a message that says what to change.
 */
export function normaliseQuestions(input: unknown, origin: Origin): QuestionBatch {
  return origin === 'model' ? strictBatch(input) : lenientBatch(input, origin);
}

function strictBatch(input: unknown): QuestionBatch {
  const parsed = questionBatchSchema.safeParse(input);
  if (!parsed.success) throw refusal(parsed.error);
  return withoutUndefined(parsed.data);
}

const text = z.string().refine((value) => !isBlank(value), { error: 'must not be blank' });
const looseOption = z.union([
  text.transform((label) => ({ label, description: '', preview: undefined })),
  z.object({ label: text, description: z.string().nullish(), preview: z.string().nullish() }),
]);
const looseQuestion = z.object({
  question: text,
  header: z.string().nullish(),
  options: z.array(looseOption).nullish(),
  multiSelect: z.boolean().nullish(),
});
const looseBatch = z.union([
  z.object({
    questions: z.array(looseQuestion).min(1).max(4),
    metadata: z.object({ source: z.string().optional() }).optional(),
  }),
  looseQuestion.transform((flat) => ({ questions: [flat], metadata: undefined })),
]);

function lenientBatch(input: unknown, origin: Origin): QuestionBatch {
  const parsed = looseBatch.safeParse(input);
  if (!parsed.success) throw refusal(parsed.error);
  const { questions, metadata } = parsed.data;
  const batch = {
    questions: questions.map((asked) => lenientQuestion(asked)),
    ...(metadata === undefined ? {} : { metadata }),
  };
  for (const asked of batch.questions) {
    const most = origin === 'history' ? MOST_HISTORIC_OPTIONS : 4;
    if (asked.options.length > most)
      throw complaint(`"${asked.question}" has ${asked.options.length} options; give at most ${most}`);
    for (const label of repeated(asked.options.map((choice) => choice.label))) {
      throw complaint(`"${asked.question}" offers "${label}" twice; make the labels differ`);
    }
    for (const choice of asked.options) {
      const wrong = choice.preview === undefined ? undefined : complainAboutPreview(choice.preview);
      if (wrong !== undefined) throw complaint(`option "${choice.label}": ${wrong}`);
    }
  }
  for (const twice of repeated(batch.questions.map((asked) => asked.question))) {
    throw complaint(`two questions read "${twice}"; answers are keyed by the text, so make them differ`);
  }
  return withoutUndefined(batch);
}

/** Fills what older bridges left out. A trailing Other-like option is dropped, since every surface adds its own. */
function lenientQuestion(asked: z.output<typeof looseQuestion>): QuestionBatch['questions'][number] {
  const multiSelect = asked.multiSelect ?? false;
  const options = (asked.options ?? []).filter((choice) => !isOtherLabel(choice.label));
  return {
    question: asked.question,
    header: isBlank(asked.header ?? '') ? 'Question' : (asked.header as string).trim(),
    multiSelect,
    options: options.map((choice) => ({
      label: choice.label,
      description: choice.description ?? '',
      ...(choice.preview == null || multiSelect ? {} : { preview: choice.preview }),
    })),
  };
}

function complaint(sentence: string): HandraiseError {
  return new HandraiseError(`The questions were not asked: ${sentence}.`, {
    code: 'invalid_questions',
    hint: 'Correct the call and ask again.',
  });
}

function refusal(error: z.ZodError): HandraiseError {
  const complaints = error.issues.slice(0, 5).map((issue) => {
    const where = z.core.toDotPath(issue.path);
    return where === '' ? issue.message : `${where}: ${issue.message}`;
  });
  return complaint(complaints.join('; '));
}

/** zod leaves `key: undefined` behind for optional keys; the batch is hashed and compared, so they go. */
function withoutUndefined(batch: unknown): QuestionBatch {
  return JSON.parse(JSON.stringify(batch)) as QuestionBatch;
}
