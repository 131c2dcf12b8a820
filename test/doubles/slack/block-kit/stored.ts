import { asList, asObj, isObj, type Obj } from '../../json.ts';

/**
 * Blocks as Slack keeps and returns them: ids filled in, `&`, `<` and `>` of plain text escaped (so a label with "&" comes
 * back as "&amp;" in a payload), `emoji` defaulted. rich_text stays literal.
 */
export function storedBlocks(blocks: readonly unknown[], newId: () => string): readonly Obj[] {
  return blocks.filter(isObj).map((block) => {
    const kept: Record<string, unknown> = { ...block, block_id: block['block_id'] ?? newId() };
    if (block['type'] === 'rich_text' || block['type'] === 'table') return kept;
    for (const key of ['text', 'label', 'hint', 'title']) if (isObj(block[key])) kept[key] = storedText(block[key]);
    if (block['fields']) kept['fields'] = asList(block['fields']).map(storedText);
    if (block['elements']) kept['elements'] = asList(block['elements']).map((one) => storedElement(one, newId));
    for (const key of ['accessory', 'element']) if (isObj(block[key])) kept[key] = storedElement(block[key], newId);
    return kept;
  });
}

function storedElement(value: unknown, newId: () => string): Obj {
  const element = asObj(value);
  if (element['type'] === 'mrkdwn' || element['type'] === 'plain_text') return asObj(storedText(element));
  if (element['type'] === 'image') return element;
  const kept: Record<string, unknown> = { ...element, action_id: element['action_id'] ?? newId() };
  for (const key of ['text', 'placeholder']) if (isObj(element[key])) kept[key] = storedText(element[key]);
  for (const key of ['options', 'initial_options']) {
    if (element[key]) kept[key] = asList(element[key]).map(storedOption);
  }
  if (element['initial_option']) kept['initial_option'] = storedOption(element['initial_option']);
  if (element['option_groups']) {
    kept['option_groups'] = asList(element['option_groups']).map((group) => ({
      ...asObj(group),
      label: storedText(asObj(group)['label']),
      options: asList(asObj(group)['options']).map(storedOption),
    }));
  }
  if (isObj(element['confirm'])) {
    const confirm = element['confirm'];
    kept['confirm'] = Object.fromEntries(Object.entries(confirm).map(([k, v]) => [k, isObj(v) ? storedText(v) : v]));
  }
  return kept;
}

function storedOption(value: unknown): Obj {
  const option = asObj(value);
  return {
    ...option,
    text: storedText(option['text']),
    ...(option['description'] ? { description: storedText(option['description']) } : {}),
  };
}

export function storedText(value: unknown): unknown {
  const text = asObj(value);
  if (text['type'] === 'plain_text') {
    return { type: 'plain_text', text: escaped(String(text['text'])), emoji: text['emoji'] ?? true };
  }
  return { verbatim: false, ...text };
}

/** What is not yet an entity becomes one. */
function escaped(text: string): string {
  return text
    .replace(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}
