import * as z from 'zod';
import { HandraiseError } from '../errors.ts';
import { isBlank, quoted } from '../text.ts';
import {
  CONTRACT,
  isOtherLabel,
  type Option,
  type Question,
  type QuestionBatch,
  questionBatchSchema,
  repeated,
} from './contract.ts';
import { type LooseQuestion, lenientSchema } from './lenient.ts';
import { complainAboutPreview } from './preview.ts';

/**
 * Who wrote the batch. A `model` is held to the contract, since it can correct its call; a `caller` (a script or the
 * library) may leave out headers and descriptions and may ask for plain text; `history` (the older wire without a
 * version) is understood as far as it can be, since nobody is there to correct it.
 */
export type Origin = 'model' | 'caller' | 'history';

/** Complaints told at once: enough to correct a call in one go. */
const MOST_COMPLAINTS = 5;

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

function lenientBatch(input: unknown, origin: 'caller' | 'history'): QuestionBatch {
  const parsed = lenientSchema.safeParse(input);
  if (!parsed.success) throw refusal(parsed.error);
  const { questions, metadata } = parsed.data;
  const batch = {
    questions: questions.map((asked) => lenientQuestion(asked, origin)),
    ...(metadata == null ? {} : { metadata }),
  };
  for (const asked of batch.questions) complainAbout(asked, origin);
  for (const twice of repeated(batch.questions.map((asked) => asked.question))) {
    throw complaint(`two questions read ${quoted(twice)}; answers are keyed by the text, so make them differ`);
  }
  return withoutUndefined(batch);
}

function complainAbout({ question, options }: Question, origin: 'caller' | 'history'): void {
  const most = origin === 'history' ? MOST_HISTORIC_OPTIONS : CONTRACT.options.max;
  if (options.length > most) {
    throw complaint(`${quoted(question)} has ${options.length} options; give at most ${most}`);
  }
  if (options.length === 1 && origin === 'caller') {
    throw complaint(`${quoted(question)} has 1 option; give none, for a text box, or 2 to 4`);
  }
  for (const label of repeated(options.map((choice) => choice.label))) {
    throw complaint(`${quoted(question)} offers ${quoted(label)} twice; make the labels differ`);
  }
  for (const choice of options) {
    const wrong = choice.preview === undefined ? undefined : complainAboutPreview(choice.preview);
    if (wrong !== undefined) throw complaint(`option ${quoted(choice.label)}: ${wrong}`);
  }
}

/** Fills what was left out. An Other-like option is dropped, since every surface adds its own. */
function lenientQuestion(asked: LooseQuestion, origin: 'caller' | 'history'): Question {
  const multiSelect = asked.multiSelect ?? false;
  const header = asked.header ?? '';
  const options = (asked.options ?? [])
    .filter((choice) => !isOtherLabel(choice.label))
    .map((choice) => ({
      label: choice.label,
      description: choice.description ?? '',
      ...(choice.preview == null || multiSelect ? {} : { preview: choice.preview }),
    }));
  return {
    question: asked.question,
    header: isBlank(header) ? 'Question' : header.trim(),
    multiSelect,
    options: origin === 'history' ? withoutRepeated(options) : options,
  };
}

/** Nobody can correct history, and whichever of two equal labels is picked, the answer is the same. */
function withoutRepeated(options: readonly Option[]): Option[] {
  const seen = new Set<string>();
  return options.filter(({ label }) => !seen.has(label.trim()) && seen.add(label.trim()));
}

function complaint(sentence: string): HandraiseError {
  return new HandraiseError(`The questions were not asked: ${sentence}.`, {
    code: 'invalid_questions',
    hint: 'Correct the call and ask again.',
  });
}

function refusal(error: z.ZodError): HandraiseError {
  const complaints = error.issues.slice(0, MOST_COMPLAINTS).map((issue) => {
    const where = z.core.toDotPath(issue.path);
    return where === '' ? issue.message : `${where}: ${issue.message}`;
  });
  const left = error.issues.length - complaints.length;
  return complaint([...complaints, ...(left > 0 ? [`and ${left} more`] : [])].join('; '));
}

/** zod leaves `key: undefined` behind for optional keys; the batch is hashed and compared, so they go. */
function withoutUndefined(batch: unknown): QuestionBatch {
  return JSON.parse(JSON.stringify(batch)) as QuestionBatch;
}
