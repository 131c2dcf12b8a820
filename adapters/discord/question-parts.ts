import type { QuestionAnswer } from '../../src/core/questions/answers.ts';
import type { Question } from '../../src/core/questions/contract.ts';
import { lengthOf } from '../../src/core/text.ts';
import { needsNumbers } from '../../src/prompt/option-labels.ts';
import { button, type Inner, row, section, text } from './components.ts';
import type { DraftEntry } from './draft.ts';
import { escaped } from './escape.ts';
import { isCut, plainLine, quoted, shown, shownLine, source } from './fit.ts';
import { DISCORD, OURS } from './limits.ts';
import { tokenOf } from './parse.ts';
import type { Sizes } from './sizes.ts';

/** Header and question. The agent's words stand in a quote, so that they cannot pass for ours. */
export function askedText(asked: Question, sizes: Sizes, number?: number): string {
  const how = asked.options.length === 0 ? 'write an answer' : asked.multiSelect ? 'choose any number' : 'choose one';
  return `**${titleOf(asked, sizes, number)}** · ${how}\n${quoted(asked.question, sizes.question)}`;
}

/** Each option with its description and its button: beside it, or below where long labels would leave a phone no room. */
export function optionsWithButtons(requestId: string, asked: Question, sizes: Sizes): Inner[] {
  const numbered = isNumbered(asked);
  const nameOf = (index: number) =>
    numbered ? `Choose ${index + 1}` : plainLine(asked.options[index]?.label ?? '', DISCORD.buttonLabel);
  const isBeside = asked.options.every((_, index) => nameOf(index).length <= OURS.besideLabel);
  return asked.options.flatMap((option, index): Inner[] => {
    const words = optionText(asked, index, sizes, numbered);
    const press = button(nameOf(index), tokenOf(requestId, { kind: 'option', index }));
    const preview = option.preview === undefined ? [] : [text(previewText(option.preview, index, sizes))];
    return isBeside ? [section(words, press), ...preview] : [text(words), ...preview, row(press)];
  });
}

/** The options as a list, for cards whose choices are made elsewhere. */
export function optionListText(asked: Question, sizes: Sizes): string {
  const lines = asked.options.map((_, index) => optionText(asked, index, sizes, true));
  const previews = asked.options.flatMap((option, index) =>
    option.preview === undefined ? [] : [previewText(option.preview, index, sizes)],
  );
  return [...lines, ...previews].join('\n');
}

/** The choices of a select or of a modal's boxes: what is cut there stands on the card. */
export function choicesOf(asked: Question): { label: string; value: string; description?: string }[] {
  const numbered =
    isNumbered(asked) || asked.options.some((option) => isLong(option.label) || isLong(option.description));
  return asked.options.map((option, index) => {
    const label = `${numbered ? `${index + 1}. ` : ''}${plainLine(option.label, DISCORD.optionText)}`;
    const description = plainLine(option.description, DISCORD.optionText);
    return {
      label: plainLine(label, DISCORD.optionText),
      value: `o${index}`,
      ...(description === '' ? {} : { description }),
    };
  });
}

/** What a draft or an answer says so far, a line each. */
export function entryLines(asked: Question, entry: DraftEntry | null, sizes: Sizes): string[] {
  if (entry === null) return [];
  const labels = entry.picks.flatMap((pick) => asked.options[pick]?.label ?? []);
  const { other, notes, skipped } = entry;
  return [
    ...(skipped ? ['→ **Skipped**'] : []),
    ...answerLines(
      {
        status: 'answered',
        labels,
        ...(other === undefined ? {} : { other }),
        ...(notes === undefined ? {} : { notes }),
      },
      sizes,
    ),
  ];
}

/** A question after its decision: what was asked, what it could have been, what was chosen. */
export function decidedText(
  asked: Question,
  answer: QuestionAnswer | undefined,
  sizes: Sizes,
  number: number | undefined,
): string {
  const labels = asked.options.map((option) => shownLine(option.label, sizes.label));
  return [
    `**${titleOf(asked, sizes, number)}**`,
    quoted(asked.question, sizes.question),
    ...(labels.length === 0 ? [] : [`-# Options: ${labels.join(' · ')}`]),
    ...(answer === undefined ? [] : answerLines(answer, sizes)),
  ].join('\n');
}

/** Whether these sizes leave something out that a person may want to read. */
export function isCutAt(questions: readonly Question[], sizes: Sizes): boolean {
  return questions.some(
    (asked) =>
      isCut(asked.question, sizes.question) ||
      asked.options.some(
        ({ label, description, preview = '' }) =>
          isCut(label, sizes.label) || isCut(description, sizes.description) || isCut(preview, sizes.preview),
      ),
  );
}

function titleOf(asked: Question, sizes: Sizes, number: number | undefined): string {
  return `${number === undefined ? '' : `${number}\\. `}${shownLine(asked.header, sizes.header)}`;
}

function optionText(asked: Question, index: number, sizes: Sizes, numbered: boolean): string {
  const option = asked.options[index];
  if (option === undefined) return '';
  const label = shown(option.label, sizes.label);
  const heading = numbered ? `${index + 1}\\. **${label}**` : `**${label}**`;
  const description = sizes.description === 0 ? '' : shown(option.description, sizes.description);
  return description === '' ? heading : `${heading}\n${description}`;
}

/** Markdown or HTML of the agent's, never interpreted. */
function previewText(preview: string, index: number, sizes: Sizes): string {
  if (sizes.preview === 0) return `-# ⟨preview of ${index + 1}, ${lengthOf(preview)} characters, not shown here⟩`;
  return `-# Preview of ${index + 1}\\:\n${source(preview, sizes.preview)}`;
}

function answerLines(answer: QuestionAnswer, sizes: Sizes): string[] {
  if (answer.status === 'skipped') return ['→ **Skipped**'];
  if (answer.status === 'unanswered') return ['→ **Not answered**'];
  const labels = answer.labels.map((label) => shownLine(label, sizes.label));
  const by = answer.by === undefined ? '' : ` · ${shownLine(answer.by.name, 80)}`;
  return [
    ...(labels.length === 0 ? [] : [`→ **${labels.join(', ')}**${by}`]),
    ...typed(labels.length === 0 ? `Other${by}` : 'Other', answer.other, sizes),
    ...typed('Note', answer.notes, sizes),
  ];
}

/** Typed by a person, and still not ours. */
function typed(what: string, words: string | undefined, sizes: Sizes): string[] {
  return words === undefined ? [] : [`→ ${what}${escaped(':')}`, quoted(words, sizes.typed)];
}

function isNumbered(asked: Question): boolean {
  return needsNumbers(asked, OURS.buttonLabel, (label) => label.length);
}

function isLong(words: string): boolean {
  return words.length > DISCORD.optionText - 4 || words.trim().includes('\n');
}
