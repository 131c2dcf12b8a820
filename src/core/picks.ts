import type { QuestionBatch } from './questions/contract.ts';
import type { Decision } from './request.ts';
import { isBlank } from './text.ts';

/**
 * The names of everything a card offers: `q0.o2` (third option of the first question), `q0.other`, `q0.skip`, `skip`
 * (all), `decline`. A claim states its picks, and the store refuses one that was not offered.
 */
export function offeredPicks(batch: QuestionBatch): string[] {
  const perQuestion = batch.questions.flatMap((asked, index) => [
    ...asked.options.map((_, option) => `q${index}.o${option}`),
    `q${index}.other`,
    `q${index}.skip`,
  ]);
  return [...perQuestion, 'skip', 'decline'];
}

/** The picks a decision amounts to. A label the batch does not have becomes a pick that is offered nowhere. */
export function picksOf(batch: QuestionBatch, decision: Decision): string[] {
  if (decision.kind === 'declined') return ['decline'];
  if (decision.sheet.length !== batch.questions.length) return ['q?.sheet'];
  if (decision.sheet.every((answer) => answer.status !== 'answered')) return ['skip'];
  return decision.sheet.flatMap((answer, index) => {
    if (answer.status !== 'answered') return [`q${index}.skip`];
    const options = batch.questions[index]?.options ?? [];
    const labels = answer.labels.map((label) => {
      const option = options.findIndex((candidate) => candidate.label === label);
      return `q${index}.o${option < 0 ? '?' : option}`;
    });
    return answer.other === undefined ? labels : [...labels, `q${index}.other`];
  });
}

/** Whether every choice in the decision stands on the card, each once, none of it blank; one only for a single-select. */
export function isOffered(batch: QuestionBatch, decision: Decision): boolean {
  const offered = new Set(offeredPicks(batch));
  if (!picksOf(batch, decision).every((pick) => offered.has(pick))) return false;
  if (decision.kind === 'declined') return true;
  return decision.sheet.every((answer, index) => {
    if (answer.status !== 'answered') return true;
    if (answer.other !== undefined && isBlank(answer.other)) return false;
    if (new Set(answer.labels).size < answer.labels.length) return false;
    const chosen = answer.labels.length + (answer.other === undefined ? 0 : 1);
    return chosen > 0 && (chosen === 1 || batch.questions[index]?.multiSelect === true);
  });
}
