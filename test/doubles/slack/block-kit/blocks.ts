import { asList, asObj, asText, isObj } from '../../json.ts';
import { asAccessory, imageElement, imageSource, inActions, inInput, oneImageSource } from './elements.ts';
import { richTextElements } from './rich-text.ts';
import { type Check, choice, flag, type Issue, kinds, list, shape, str } from './schema.ts';
import { anyText, plainText } from './text.ts';

const blockId = { block_id: str(1, 255) };

const section = shape(
  {},
  { ...blockId, text: anyText(3000), fields: list(anyText(2000), 1, 10), accessory: asAccessory, expand: flag },
  (value, pointer, issues) => {
    if (value['text'] === undefined && value['fields'] === undefined) {
      issues.push({ pointer, message: 'missing required field: text' });
    }
  },
);

const richText = shape({ elements: richTextElements }, blockId);

const cell = kinds({
  raw_text: shape({ text: str(1, 3000) }),
  raw_number: shape({ value: () => undefined, text: str(1, 3000) }),
  rich_text: richText,
});

const column = shape({}, { align: choice('left', 'center', 'right'), is_wrapped: flag });

const contextElement: Check = (value, pointer, issues) => {
  if (asObj(value)['type'] === 'image') imageElement(value, pointer, issues);
  else anyText(3000)(value, pointer, issues);
};

const block: Check = kinds({
  section,
  header: shape({ text: plainText(150) }, blockId),
  context: shape({ elements: list(contextElement, 1, 10) }, blockId),
  actions: shape({ elements: list(inActions, 1, 25) }, blockId),
  input: shape(
    { label: plainText(2000), element: inInput },
    { ...blockId, hint: plainText(2000), optional: flag, dispatch_action: flag },
  ),
  divider: shape({}, blockId),
  image: shape({ alt_text: str(1, 2000) }, { ...blockId, ...imageSource, title: plainText(2000) }, oneImageSource),
  rich_text: richText,
  markdown: shape({ text: str(1, 12_000) }, blockId),
  table: shape({ rows: list(list(cell, 1, 20), 1, 100) }, { ...blockId, column_settings: list(column, 0, 20) }),
});

/** Every rule about a list of blocks that does not depend on where it stands. */
export function checkBlocks(blocks: unknown, pointer: string, max: number, issues: Issue[]): void {
  list(block, 0, max)(blocks, pointer, issues);
  const seen = new Set<string>();
  let markdown = 0;
  let tables = 0;
  let focused = 0;
  for (const [i, value] of asList(blocks).entries()) {
    const here = asObj(value);
    const at = `${pointer}/${i}`;
    const id = asText(here['block_id']);
    if (id && seen.has(id)) issues.push({ pointer: `${at}/block_id`, message: `block_id \`${id}\` already exists` });
    if (id) seen.add(id);
    if (here['type'] === 'markdown') markdown += asText(here['text']).length;
    if (here['type'] === 'table') tables += 1;
    const elements = [...asList(here['elements']), here['accessory'], here['element']].filter(isObj);
    const actions = new Set<string>();
    for (const element of elements) {
      const action = asText(element['action_id']);
      if (action && actions.has(action)) {
        issues.push({ pointer: at, message: `action_id \`${action}\` already exists in block` });
      }
      if (action) actions.add(action);
      if (element['focus_on_load'] === true) focused += 1;
    }
  }
  if (markdown > 12_000)
    issues.push({ pointer, message: 'markdown blocks must be less than 12001 characters together' });
  if (tables > 1) issues.push({ pointer, message: 'only one table block allowed' });
  if (focused > 1) issues.push({ pointer, message: 'only one element may have focus_on_load' });
}
