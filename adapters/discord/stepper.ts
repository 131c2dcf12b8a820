import type { QuestionsView } from '../../src/core/request.ts';
import { BUTTONS } from '../../src/prompt/option-labels.ts';
import { button, type Inner, row, select, text } from './components.ts';
import { type Draft, doneCount } from './draft.ts';
import { shownLine } from './fit.ts';
import { type StepAction, tokenOf } from './parse.ts';
import { askedText, choicesOf, entryLines, optionListText } from './question-parts.ts';
import type { Sizes } from './sizes.ts';

/** One question of a batch at a time, with what is answered so far; Send is always within reach. */
export function stepParts({ requestId, questions }: QuestionsView, draft: Draft, sizes: Sizes): Inner[] {
  const at = Math.min(draft.at, questions.length - 1);
  const asked = questions[at];
  if (asked === undefined) return [];
  const entry = draft.entries[at] ?? null;
  const step = (question: number, what: StepAction) => tokenOf(requestId, { kind: 'step', question, what });
  const options = asked.options.length === 0 ? '' : `\n${optionListText(asked, sizes)}`;
  const lines = entryLines(asked, entry, sizes);
  const chosen = lines.length === 0 ? [] : [text(lines.join('\n'))];
  const choose = () => {
    const choices = choicesOf(asked).map((choice, index) => ({
      ...choice,
      default: entry?.picks.includes(index) ?? false,
    }));
    const most = asked.multiSelect ? choices.length : 1;
    return row(
      select(step(at, 'pick'), asked.multiSelect ? 'Choose any number' : 'Choose one', choices, { min: 0, max: most }),
    );
  };
  const back = button('Back', step(Math.max(0, at - 1), 'go'), { disabled: at === 0 });
  const last = questions.length - 1;
  const next = button('Next', step(Math.min(at + 1, last), 'go'), { disabled: at === last });
  return [
    text(`${askedText(asked, sizes, at + 1)}${options}`),
    ...chosen,
    ...(asked.options.length === 0 ? [] : [choose()]),
    row(
      button(asked.options.length === 0 ? 'Write…' : BUTTONS.other, step(at, 'other')),
      button(BUTTONS.note, step(at, 'note')),
      button('Skip this one', step(at, 'skip')),
    ),
    text(overviewOf(questions, draft, at)),
    row(
      ...(questions.length === 1 ? [] : [back, next]),
      button(`Send (${doneCount(draft)} of ${questions.length})`, tokenOf(requestId, { kind: 'send' }), {
        primary: true,
      }),
      button('Skip all', tokenOf(requestId, { kind: 'skip' })),
      button(BUTTONS.decline, tokenOf(requestId, { kind: 'decline' })),
    ),
  ];
}

/** A line for each question: whether it is answered, and by whom. */
function overviewOf(questions: QuestionsView['questions'], draft: Draft, at: number): string {
  return questions
    .map(({ header }, index) => {
      const entry = draft.entries[index] ?? null;
      const state = entry === null ? '▫️' : entry.skipped ? '➡️' : '✔️';
      const by = entry === null ? '' : ` · ${shownLine(entry.by.name, 40)}`;
      const name = shownLine(header, 40);
      return `-# ${state} ${index + 1}\\. ${index === at ? `**${name}**` : name}${by}`;
    })
    .join('\n');
}
