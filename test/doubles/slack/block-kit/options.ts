import { asList, isObj, type Obj } from '../../json.ts';
import { type Check, list, type Rule, shape, str, url } from './schema.ts';
import { anyText, plainText } from './text.ts';

/** The docs page says 150 and the SDK's comment 75: the larger one is what Slack is known to take. */
const VALUE_MAX = 150;

const option = (text: Check, extra: Record<string, Check> = {}): Check =>
  shape({ text, value: str(1, VALUE_MAX) }, { description: plainText(75), ...extra });

export const menuOption = option(plainText(75));
/** Radio buttons and checkboxes may show mrkdwn. */
export const boxOption = option(anyText(75));
export const overflowOption = option(plainText(75), { url: url(3000) });

export const optionGroup = shape({ label: plainText(75), options: list(menuOption, 1, 100) });

/** `options` or `option_groups`, one of them. */
export const oneSource: Rule = (value, pointer, issues) => {
  const given = ['options', 'option_groups'].filter((key) => value[key] !== undefined);
  if (given.length !== 1) issues.push({ pointer, message: 'must provide exactly one of options or option_groups' });
};

/** What is chosen at first must be one of the options, exactly. */
export const initialIsOffered: Rule = (value, pointer, issues) => {
  const offered = new Set(optionsOf(value).map(fingerprint));
  const one = value['initial_option'];
  if (one !== undefined && !offered.has(fingerprint(one))) {
    issues.push({ pointer: `${pointer}/initial_option`, message: 'must match one of the options' });
  }
  for (const [i, chosen] of asList(value['initial_options']).entries()) {
    if (!offered.has(fingerprint(chosen))) {
      issues.push({ pointer: `${pointer}/initial_options/${i}`, message: 'must match one of the options' });
    }
  }
};

export function optionsOf(element: Obj): readonly Obj[] {
  const groups = asList(element['option_groups']).filter(isObj);
  return [
    ...asList(element['options']).filter(isObj),
    ...groups.flatMap((group) => asList(group['options']).filter(isObj)),
  ];
}

function fingerprint(value: unknown): string {
  const chosen = isObj(value) ? value : {};
  const text = isObj(chosen['text']) ? chosen['text'] : {};
  const described = isObj(chosen['description']) ? chosen['description']['text'] : null;
  return JSON.stringify([text['type'], text['text'], chosen['value'], described]);
}
