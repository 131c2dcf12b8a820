import { boxOption, initialIsOffered, menuOption, oneSource, optionGroup, overflowOption } from './options.ts';
import { type Check, choice, flag, kinds, list, type Rule, shape, str, url, whole } from './schema.ts';
import { confirm, plainText } from './text.ts';

const actionId = { action_id: str(1, 255) };
const placeholder = { placeholder: plainText(150) };
const focus = { focus_on_load: flag };
const sources = { options: list(menuOption, 1, 100), option_groups: list(optionGroup, 1, 100) };

const button = shape(
  { text: plainText(75) },
  {
    ...actionId,
    value: str(1, 2000),
    url: url(3000),
    style: choice('primary', 'danger'),
    confirm,
    accessibility_label: str(1, 75),
  },
);

const staticSelect = shape(
  {},
  { ...actionId, ...placeholder, ...focus, ...sources, initial_option: menuOption, confirm },
  oneSource,
  initialIsOffered,
);

const multiStaticSelect = shape(
  {},
  {
    ...actionId,
    ...placeholder,
    ...focus,
    ...sources,
    initial_options: list(menuOption, 1, 100),
    max_selected_items: whole(1, 100),
    confirm,
  },
  oneSource,
  initialIsOffered,
);

const radioButtons = shape(
  { options: list(boxOption, 1, 10) },
  { ...actionId, ...focus, initial_option: boxOption, confirm },
  initialIsOffered,
);

const checkboxes = shape(
  { options: list(boxOption, 1, 10) },
  { ...actionId, ...focus, initial_options: list(boxOption, 1, 10), confirm },
  initialIsOffered,
);

const overflow = shape({ options: list(overflowOption, 1, 5) }, { ...actionId, confirm });

const plainTextInput = shape(
  {},
  {
    ...actionId,
    ...placeholder,
    ...focus,
    initial_value: str(0, 3000),
    multiline: flag,
    min_length: whole(0, 3000),
    max_length: whole(1, 3000),
    dispatch_action_config: shape(
      {},
      { trigger_actions_on: list(choice('on_enter_pressed', 'on_character_entered'), 1, 2) },
    ),
  },
  (value, pointer, issues) => {
    const { min_length: min, max_length: max, initial_value: first } = value;
    if (typeof min === 'number' && typeof max === 'number' && min > max) {
      issues.push({ pointer: `${pointer}/min_length`, message: 'must not be greater than max_length' });
    }
    if (typeof first === 'string' && typeof max === 'number' && first.length > max) {
      issues.push({ pointer: `${pointer}/initial_value`, message: 'must not be longer than max_length' });
    }
  },
);

/** An image's source: a URL or a file that Slack has, one of them. */
export const imageSource = { image_url: url(3000), slack_file: shape({}, { id: str(1, 255), url: url(3000) }) };
export const oneImageSource: Rule = (value, pointer, issues) => {
  const given = ['image_url', 'slack_file'].filter((key) => value[key] !== undefined);
  if (given.length !== 1) issues.push({ pointer, message: 'must provide exactly one of image_url or slack_file' });
};

export const imageElement = shape({ alt_text: str(1, 2000) }, imageSource, oneImageSource);

const choosers = {
  static_select: staticSelect,
  multi_static_select: multiStaticSelect,
  radio_buttons: radioButtons,
  checkboxes,
};

/** Which elements may stand where. Kinds that Slack has and this double does not are refused as unsupported. */
export const inActions: Check = kinds({ button, overflow, ...choosers });
export const asAccessory: Check = kinds({ button, overflow, image: imageElement, ...choosers });
export const inInput: Check = kinds({ plain_text_input: plainTextInput, ...choosers });
