import type { QuestionAnswer } from '../../src/core/questions/answers.ts';
import type { Question } from '../../src/core/questions/contract.ts';
import type { Headline } from '../../src/prompt/headline.ts';
import { bold, icon, type KnownBlock, line, moment, quote, richText, words } from './blocks.ts';
import { EMOJI } from './card-text.ts';
import { shown, shownLine } from './fit.ts';
import type { Sizes } from './sizes.ts';

/** The line that says what became of a request. Always first, with an icon, in a block that holds nothing else. */
export function headlineBlock(headline: Headline, at: number): KnownBlock {
  const { icon: name, state, meaning, by } = headline;
  const rest = `${meaning}${by === undefined ? '' : ` · by ${by}`} · `;
  return richText(line(icon(EMOJI[name]), words(' '), bold(state), words(rest), moment(at)));
}

/** A question after its decision: what was asked, what it could have been, what was chosen. */
export function decidedBlock(
  asked: Question,
  answer: QuestionAnswer | undefined,
  sizes: Sizes,
  number?: number,
): KnownBlock {
  const title = `${number === undefined ? '' : `${number}. `}${shownLine(asked.header, 60)}`;
  const labels = asked.options.map((option) => shownLine(option.label, sizes.label));
  const choices = labels.length === 0 ? [] : [line(words(`Options: ${labels.join(' · ')}`))];
  return richText(
    line(bold(title)),
    quote(words(shown(asked.question, sizes.question))),
    ...choices,
    ...(answer === undefined ? [] : answerLines(answer, sizes)),
  );
}

function answerLines(answer: QuestionAnswer, sizes: Sizes) {
  if (answer.status === 'skipped') return [line(bold('Skipped'))];
  if (answer.status === 'unanswered') return [line(bold('Not answered'))];
  const labels = answer.labels.map((label) => shownLine(label, sizes.label));
  const by = answer.by === undefined ? [] : [line(words(`→ chosen by ${shownLine(answer.by.name, 80)}`))];
  return [
    ...(labels.length === 0 ? [] : [line(words('→ '), bold(labels.join(', ')))]),
    ...typed('Other', answer.other, sizes),
    ...typed('Note', answer.notes, sizes),
    ...by,
  ];
}

/** Typed by a person, and still not ours. */
function typed(what: string, text: string | undefined, sizes: Sizes) {
  if (text === undefined) return [];
  return [line(words(`→ ${what}:`)), quote(words(shown(text, sizes.typed)))];
}
