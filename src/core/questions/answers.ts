import { HandraiseError } from '../errors.ts';
import { isBlank, quoted } from '../text.ts';
import { isOtherLabel, type Question, type QuestionBatch } from './contract.ts';

/**
 * How one question ended. `labels` are exact option labels, `other` is what the operator typed; an answered question
 * has at least one of the two. `unanswered` = nobody got to it before the end.
 */
export type QuestionAnswer =
  | {
      readonly status: 'answered';
      readonly labels: readonly string[];
      readonly other?: string;
      readonly notes?: string;
      /** Who answered it, where that was not who sent the batch: a draft may pass from one person to another. */
      readonly by?: { readonly userId: string; readonly name: string };
    }
  | { readonly status: 'skipped' }
  | { readonly status: 'unanswered' };

/** One entry per question, in the batch's order. */
export type AnswerSheet = readonly QuestionAnswer[];

/** The answer as agents read it: keyed by the whole question text. A skipped question has no key. */
export interface EncodedAnswers {
  readonly answers: Readonly<Record<string, string | readonly string[]>>;
  readonly annotations?: Readonly<Record<string, { readonly preview?: string; readonly notes?: string }>>;
}

/** Writes a sheet in AskUserQuestion's form: a string for single-select, an array for multi-select. */
export function encodeAnswers(batch: QuestionBatch, sheet: AnswerSheet): EncodedAnswers {
  const answers: Record<string, string | string[]> = {};
  const annotations: Record<string, { preview?: string; notes?: string }> = {};
  batch.questions.forEach((asked, index) => {
    const answer = sheet[index];
    if (answer?.status !== 'answered') return;
    const values = [...answer.labels, ...(answer.other === undefined ? [] : [answer.other])];
    set(answers, asked.question, asked.multiSelect ? values : (values[0] ?? ''));
    const preview = asked.options.find((option) => option.label === answer.labels[0])?.preview;
    if (preview === undefined && answer.notes === undefined) return;
    set(annotations, asked.question, {
      ...(preview === undefined ? {} : { preview }),
      ...(answer.notes === undefined ? {} : { notes: answer.notes }),
    });
  });
  return Object.keys(annotations).length === 0 ? { answers } : { answers, annotations };
}

/** `__proto__` is a legal question text; plain assignment would lose it. */
function set<T>(target: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Reads an answer somebody wrote: this contract's own form, and the older ones (`answer_<index>` counted from 0, a lone
 * `answer`, ", "-joined multi-selects). Throws `invalid_answers` when answers are absent, blank, or fit no question.
 */
export function decodeAnswers(batch: QuestionBatch, input: unknown): AnswerSheet {
  if (!isObject(input) || !isObject(input['answers'])) {
    throw refusal('there is no "answers" object; write {"answers":{}} to say that every question was skipped');
  }
  const annotations = isObject(input['annotations']) ? input['annotations'] : {};
  const byIndex = new Map<number, unknown>();
  for (const [key, value] of Object.entries(input['answers'])) {
    const index = indexOfKey(batch, key);
    if (index === undefined) throw refusal(`no question reads ${quoted(key)}`);
    if (byIndex.has(index)) throw refusal(`question ${index + 1} is answered twice`);
    byIndex.set(index, value);
  }
  return batch.questions.map((asked, index) => {
    if (!byIndex.has(index)) return { status: 'skipped' };
    const note = annotations[asked.question];
    const notes =
      isObject(note) && typeof note['notes'] === 'string' && !isBlank(note['notes']) ? note['notes'] : undefined;
    return { status: 'answered', ...readValue(asked, byIndex.get(index)), ...(notes === undefined ? {} : { notes }) };
  });
}

function indexOfKey(batch: QuestionBatch, key: string): number | undefined {
  const exact = batch.questions.findIndex((asked) => asked.question === key);
  if (exact >= 0) return exact;
  const numbered = /^answer_(\d+)$/.exec(key)?.[1];
  if (numbered !== undefined && Number(numbered) < batch.questions.length) return Number(numbered);
  return key === 'answer' && batch.questions.length === 1 ? 0 : undefined;
}

function readValue(asked: Question, value: unknown): { labels: string[]; other?: string } {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts.map((part) => {
    if (typeof part !== 'string' || isBlank(part))
      throw refusal(`the answer to ${quoted(asked.question)} is blank or not text`);
    return part;
  });
  const labels = new Set<string>();
  const typed: string[] = [];
  for (const text of texts) {
    const read = asked.options.some((option) => option.label === text)
      ? { labels: [text], rest: '' }
      : asked.multiSelect && !Array.isArray(value)
        ? splitJoined(asked, text)
        : { labels: [], rest: text };
    for (const label of read.labels) labels.add(label);
    if (read.rest !== '') typed.push(read.rest);
  }
  const [other, extra] = typed;
  if (other !== undefined && extra !== undefined)
    throw refusal(
      `${quoted(asked.question)} has two answers that are no option: ${quoted(other)} and ${quoted(extra)}`,
    );
  if (other !== undefined && isOtherLabel(other)) {
    throw refusal(
      `${quoted(other)} alone answers nothing: write the operator's own words for ${quoted(asked.question)}`,
    );
  }
  if (labels.size + typed.length === 0) throw refusal(`the answer to ${quoted(asked.question)} is empty`);
  if (!asked.multiSelect && labels.size + typed.length > 1) throw refusal(`${quoted(asked.question)} takes one answer`);
  const inOrder = asked.options.map((option) => option.label).filter((label) => labels.has(label));
  return other === undefined ? { labels: inOrder } : { labels: inOrder, other };
}

/**
 * "A, B, typed words" → labels A and B, rest "typed words". Labels may hold commas, so of several ways to read it the one
 * with the least typed text counts, and of those the one with the longest label first.
 */
function splitJoined(asked: Question, text: string): { labels: string[]; rest: string } {
  const byLength = asked.options.map((option) => option.label).sort((a, b) => b.length - a.length);
  let best: { labels: string[]; rest: string } = { labels: [], rest: text };
  for (const [index, label] of byLength.entries()) {
    if (text !== label && !text.startsWith(`${label}, `)) continue;
    const others = asked.options.filter((option) => option.label !== byLength[index]);
    const rest = splitJoined({ ...asked, options: others }, text.slice(label.length + 2));
    if (rest.rest.length < best.rest.length) best = { labels: [label, ...rest.labels], rest: rest.rest };
  }
  return best;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(sentence: string): HandraiseError {
  return new HandraiseError(`The answer was not taken: ${sentence}.`, { code: 'invalid_answers' });
}
