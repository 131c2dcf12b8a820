import type { Question } from '../../src/core/questions/contract.ts';
import { lengthOf } from '../../src/core/text.ts';
import { needsNumbers } from '../../src/prompt/option-labels.ts';
import { bold, button, type KnownBlock, line, list, quote, richText, section, source, words } from './blocks.ts';
import { fitted, shown, shownLine, sizeOf } from './fit.ts';
import { OURS, SLACK } from './limits.ts';
import { tokenOf } from './parse.ts';
import type { Sizes } from './sizes.ts';

/** Header and question. The agent's words stand in a quote, so that they cannot pass for ours. */
export function askedBlock(asked: Question, sizes: Sizes, number?: number): KnownBlock {
  const title = `${number === undefined ? '' : `${number}. `}${shownLine(asked.header, 60)}`;
  const how = asked.options.length === 0 ? 'write an answer' : asked.multiSelect ? 'choose any number' : 'choose one';
  return richText(line(bold(title), words(` · ${how}`)), quote(words(shown(asked.question, sizes.question))));
}

/** Each option with its description and its button beside it; previews as source text below. */
export function optionsWithButtons(requestId: string, asked: Question, sizes: Sizes): KnownBlock[] {
  const numbered = needsNumbers(asked, OURS.buttonLabel, (label) => sizeOf(label, 'escaped'));
  return asked.options.flatMap((option, index) => {
    const label = shown(option.label, sizes.label);
    const heading = numbered ? `${index + 1}. ${label}` : label;
    const description = shown(option.description, sizes.description);
    const text = fitted(description === '' ? heading : `${heading}\n${description}`, SLACK.text, 'escaped');
    const { actionId, value } = tokenOf(requestId, { kind: 'option', index });
    const press = button(
      numbered ? `Choose ${index + 1}` : shownLine(option.label, SLACK.buttonText, 'escaped'),
      actionId,
      value,
    );
    return [
      section(text, press),
      ...(option.preview === undefined ? [] : [richText(previewOf(option.preview, sizes))]),
    ];
  });
}

/** The options as a list, for cards and forms whose choices are made elsewhere. */
export function optionList(asked: Question, sizes: Sizes): KnownBlock[] {
  if (asked.options.length === 0) return [];
  const items = asked.options.map((option) => {
    const description = shown(option.description, sizes.description);
    const rest = description === '' ? '' : `: ${description}`;
    return line(bold(shown(option.label, sizes.label)), words(rest));
  });
  // One block for all of it, since a message may hold 50: previews of nine options would be eighteen.
  const previews = asked.options.flatMap((option, index) =>
    option.preview === undefined ? [] : [line(words(`Preview of ${index + 1}:`)), previewOf(option.preview, sizes)],
  );
  return [richText(list('ordered', items), ...previews)];
}

/** Markdown or HTML of the agent's, never interpreted. */
function previewOf(preview: string, sizes: Sizes) {
  if (sizes.preview === 0) return line(words(`⟨preview of ${lengthOf(preview)} characters not shown⟩`));
  return source(shown(preview, sizes.preview, { blanks: OURS.previewBlanks }));
}
