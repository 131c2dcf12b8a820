import { MOST_NOTE, offersOf } from './proposals/contract.ts';
import type { QuestionBatch } from './questions/contract.ts';
import type { AskedContent, Decision } from './request.ts';
import { isBlank, lengthOf } from './text.ts';

/**
 * The names of everything a card offers. Questions: `q0.o2` (third option of the first question), `q0.other`, `q0.skip`,
 * `skip` (all), `decline`. A proposal: its scopes and `deny`. A claim states its picks, and the store refuses one that
 * was not offered.
 */
export function offeredPicks(asked: AskedContent): string[] {
  if (asked.kind === 'proposal') return [...offersOf(asked.view.proposal).map(({ scope }) => scope), 'deny'];
  const perQuestion = asked.batch.questions.flatMap((question, index) => [
    ...question.options.map((_, option) => `q${index}.o${option}`),
    `q${index}.other`,
    `q${index}.skip`,
  ]);
  return [...perQuestion, 'skip', 'decline'];
}

/** The picks a decision amounts to. One that the request does not have becomes a pick that is offered nowhere. */
export function picksOf(asked: AskedContent, decision: Decision): string[] {
  switch (decision.kind) {
    case 'declined':
      return ['decline'];
    case 'granted':
      return [decision.scope];
    case 'denied':
      return ['deny'];
    case 'answers':
      return asked.kind === 'questions' ? picksOfSheet(asked.batch, decision.sheet) : ['q?.sheet'];
  }
}

/** Whether the decision is of the request's own kind, and every choice in it stands on the card, each once, not blank. */
export function isOffered(asked: AskedContent, decision: Decision): boolean {
  const offered = new Set(offeredPicks(asked));
  if (!picksOf(asked, decision).every((pick) => offered.has(pick))) return false;
  if (decision.kind === 'denied') return decision.note === undefined || isNote(decision.note);
  if (decision.kind !== 'answers' || asked.kind !== 'questions') return true;
  return decision.sheet.every((answer, index) => {
    if (answer.status !== 'answered') return true;
    if (answer.other !== undefined && isBlank(answer.other)) return false;
    if (new Set(answer.labels).size < answer.labels.length) return false;
    const chosen = answer.labels.length + (answer.other === undefined ? 0 : 1);
    return chosen > 0 && (chosen === 1 || asked.batch.questions[index]?.multiSelect === true);
  });
}

function isNote(note: string): boolean {
  return !isBlank(note) && lengthOf(note) <= MOST_NOTE;
}

function picksOfSheet(batch: QuestionBatch, sheet: Extract<Decision, { kind: 'answers' }>['sheet']): string[] {
  if (sheet.length !== batch.questions.length) return ['q?.sheet'];
  if (sheet.every((answer) => answer.status !== 'answered')) return ['skip'];
  return sheet.flatMap((answer, index) => {
    if (answer.status !== 'answered') return [`q${index}.skip`];
    const options = batch.questions[index]?.options ?? [];
    const labels = answer.labels.map((label) => {
      const option = options.findIndex((candidate) => candidate.label === label);
      return `q${index}.o${option < 0 ? '?' : option}`;
    });
    return answer.other === undefined ? labels : [...labels, `q${index}.other`];
  });
}
