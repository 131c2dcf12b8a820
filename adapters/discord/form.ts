import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import { ComponentType } from 'discord.js';
import type { Question } from '../../src/core/questions/contract.ts';
import type { QuestionsView } from '../../src/core/request.ts';
import { label, textInput } from './components.ts';
import type { DraftEntry } from './draft.ts';
import { plainLine } from './fit.ts';
import { DISCORD } from './limits.ts';
import { tokenOf } from './parse.ts';
import { choicesOf } from './question-parts.ts';

export type Modal = APIModalInteractionResponseCallbackData;
export type FieldName = 'pick' | 'other' | 'notes';

/** Whether every question's fields (what to choose, Other, a note) go into one modal. */
export function formFits(questions: readonly Question[]): boolean {
  const fields = questions.reduce((sum, asked) => sum + fieldsOf(asked).length, 0);
  const choices = Math.max(...questions.map((asked) => asked.options.length + 1));
  return fields <= DISCORD.modalComponents && choices <= DISCORD.boxes;
}

/** The form for all of it. Only where `formFits`. */
export function answerForm(view: QuestionsView): Modal {
  const several = view.questions.length > 1;
  return {
    custom_id: tokenOf(view.requestId, { kind: 'answer' }),
    title: 'Answer',
    components: view.questions.flatMap((asked, index) =>
      fieldsOf(asked).map((field) => fieldOf(asked, index, field, several ? asked.header : undefined)),
    ),
  };
}

/** One text box for the only question. */
export function otherForm(view: QuestionsView): Modal {
  const [asked] = view.questions;
  return textForm(tokenOf(view.requestId, { kind: 'other' }), 'Other answer', 'Your answer', asked, 'q0.other');
}

/** One text box of a step. What is in the draft already stands in it, and may be emptied. */
export function stepForm(
  view: QuestionsView,
  question: number,
  what: 'other' | 'note',
  entry: DraftEntry | null,
): Modal {
  const customId = tokenOf(view.requestId, { kind: 'step', question, what });
  const asked = view.questions[question];
  if (what === 'other') {
    return textForm(customId, 'Other answer', 'Your answer', asked, `q${question}.other`, entry?.other, false);
  }
  return textForm(customId, 'Note', 'Note to the agent', asked, `q${question}.notes`, entry?.notes, false);
}

export function fieldIdOf(question: number, field: FieldName): string {
  return `q${question}.${field}`;
}

function textForm(
  customId: string,
  title: string,
  name: string,
  asked: Question | undefined,
  field: string,
  value?: string,
  required = true,
): Modal {
  const description = asked === undefined ? '' : plainLine(asked.question, DISCORD.labelDescription);
  return { custom_id: customId, title, components: [label(name, description, textInput(field, required, value))] };
}

function fieldsOf(asked: Question): FieldName[] {
  return asked.options.length === 0 ? ['other'] : ['pick', 'other', 'notes'];
}

function fieldOf(asked: Question, index: number, field: FieldName, title: string | undefined) {
  const prefix = title === undefined ? '' : `${title}: `;
  const name = (words: string) => plainLine(`${prefix}${words}`, DISCORD.label);
  const description = plainLine(asked.question, DISCORD.labelDescription);
  switch (field) {
    case 'pick':
      return label(name(asked.multiSelect ? 'Choose any number' : 'Choose one'), description, chooser(asked, index));
    case 'other':
      return asked.options.length === 0
        ? label(name('Your answer'), description, textInput(fieldIdOf(index, field), false))
        : label(name('Other: your own words'), '', textInput(fieldIdOf(index, field), false));
    case 'notes':
      return label(name('Note to the agent'), '', textInput(fieldIdOf(index, field), false));
  }
}

function chooser(asked: Question, index: number): Parameters<typeof label>[2] {
  const options = [...choicesOf(asked), { label: 'Other, as written below', value: 'other' }];
  const common = { custom_id: fieldIdOf(index, 'pick'), required: false };
  if (asked.multiSelect) {
    return { type: ComponentType.CheckboxGroup, ...common, options, min_values: 0, max_values: options.length };
  }
  // A radio button cannot be unchosen: without this, a slip would have to become an answer.
  if (options.length < DISCORD.boxes) options.push({ label: 'No answer: skip this question', value: 'skip' });
  return { type: ComponentType.RadioGroup, ...common, options };
}
