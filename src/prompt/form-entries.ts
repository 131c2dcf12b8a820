import type { AnswerSheet, QuestionAnswer } from '../core/questions/answers.ts';
import { isOtherLabel, type Question } from '../core/questions/contract.ts';

/** What one question's fields hold. Blank text counts as empty. */
export interface FormEntry {
  /** Indices of ticked options. */
  readonly picks: readonly number[];
  readonly otherTicked: boolean;
  readonly skipTicked: boolean;
  readonly other?: string;
  readonly notes?: string;
  /** Several boxes may be ticked. */
  readonly many: boolean;
}

/** Undefined when the form does not belong to these questions. */
export function sheetOf(entries: readonly FormEntry[], questions: readonly Question[]): AnswerSheet | undefined {
  if (entries.length !== questions.length) return undefined;
  const sheet = entries.map((entry, index) => answerOf(entry, questions[index]));
  return sheet.every((answer) => answer !== undefined) ? sheet : undefined;
}

/** Everything somebody typed into a form, to be handed back when it could not be taken. */
export function typedIn(entries: readonly FormEntry[]): string | undefined {
  const texts = entries.flatMap(({ other, notes }) => [other, notes]).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** What is wrong with one question's fields, and at which of them; undefined when they can be sent. */
export function complaintAbout(entry: FormEntry): { field: 'pick' | 'other' | 'notes'; sentence: string } | undefined {
  const { picks, other, notes, otherTicked, skipTicked, many } = entry;
  if (otherTicked && other === undefined) {
    return { field: 'other', sentence: 'You chose Other: write your answer here, or choose something else.' };
  }
  if (other !== undefined && isOtherLabel(other)) {
    return { field: 'other', sentence: `"${other}" alone answers nothing: use your own words.` };
  }
  if (other !== undefined && !many && (picks.length > 0 || skipTicked)) {
    return {
      field: 'other',
      sentence: 'Only one answer fits: choose Other above to send this text, or remove it.',
    };
  }
  if (notes !== undefined && isEmpty(entry)) {
    return { field: 'notes', sentence: 'A note goes with an answer: choose one, or write this as Other.' };
  }
  return undefined;
}

/** Nothing is chosen or typed as an answer. */
export function isEmpty({ picks, other }: FormEntry): boolean {
  return picks.length === 0 && other === undefined;
}

function answerOf(entry: FormEntry, asked: Question | undefined): QuestionAnswer | undefined {
  if (asked === undefined) return undefined;
  if (isEmpty(entry)) return { status: 'skipped' };
  const labels = entry.picks.map((pick) => asked.options[pick]?.label);
  if (labels.some((label) => label === undefined)) return undefined;
  // Whoever types an option's label means that option.
  const typed = asked.options.find((option) => option.label === entry.other)?.label;
  const chosen = new Set([...labels, typed]);
  return {
    status: 'answered',
    labels: asked.options.map((option) => option.label).filter((label) => chosen.has(label)),
    ...(entry.other === undefined || typed !== undefined ? {} : { other: entry.other }),
    ...(entry.notes === undefined ? {} : { notes: entry.notes }),
  };
}
