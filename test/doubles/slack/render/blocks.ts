import { asList, asObj, asText, isObj, type Obj } from '../../json.ts';
import type { ScreenBlock, ScreenControl, ScreenImage } from '../types.ts';
import { type ControlState, renderControl } from './control-elements.ts';
import { literal, type Pen } from './text.ts';

/** About where desktop clients fold a section behind "See more". A guess: the docs name no number. */
const FOLD_CHARACTERS = 700;
const FOLD_LINES = 8;

/** Draws stored blocks. `state` supplies what the reader has filled in; `errors` what a submit complained about. */
export function renderBlocks(
  blocks: readonly Obj[],
  pen: Pen,
  state: ControlState,
  errors: Readonly<Record<string, string>> = {},
  pointer = '/blocks',
): ScreenBlock[] {
  return blocks.map((block, i) => renderBlock(block, pen, state, errors, `${pointer}/${i}`));
}

/** Every control of drawn blocks, in drawing order. */
export function controlsOf(blocks: readonly ScreenBlock[]): ScreenControl[] {
  return blocks.flatMap((block) => {
    if (block.type === 'actions') return block.controls;
    if (block.type === 'input') return [block.control];
    return block.type === 'section' && block.accessory && block.accessory.kind !== 'image' ? [block.accessory] : [];
  });
}

/** All drawn text of blocks, a line each: for matching and for notifications. */
export function plainOf(blocks: readonly ScreenBlock[]): string {
  return blocks.flatMap(linesOf).join('\n');
}

function renderBlock(
  block: Obj,
  pen: Pen,
  state: ControlState,
  errors: Readonly<Record<string, string>>,
  at: string,
): ScreenBlock {
  const blockId = asText(block['block_id']);
  const controlAt = (element: unknown, pointer: string) => renderControl(asObj(element), blockId, pen, state, pointer);
  switch (block['type']) {
    case 'header':
      return { blockId, type: 'header', text: pen.text(block['text'], `${at}/text`) };
    case 'section': {
      const text = block['text'] ? pen.text(block['text'], `${at}/text`) : undefined;
      const long = text && (text.plain.length > FOLD_CHARACTERS || text.plain.split('\n').length > FOLD_LINES);
      const accessory = asObj(block['accessory']);
      return {
        blockId,
        type: 'section',
        ...(text ? { text } : {}),
        fields: asList(block['fields']).map((field, i) => pen.text(field, `${at}/fields/${i}`)),
        ...(isObj(block['accessory'])
          ? { accessory: accessory['type'] === 'image' ? image(accessory) : controlAt(accessory, `${at}/accessory`) }
          : {}),
        folds: long === true && block['expand'] !== true,
      };
    }
    case 'context': {
      const elements = asList(block['elements']).map((element, i) =>
        asObj(element)['type'] === 'image' ? image(asObj(element)) : pen.text(element, `${at}/elements/${i}`),
      );
      return { blockId, type: 'context', elements };
    }
    case 'actions': {
      const controls = asList(block['elements']).map((element, i) => controlAt(element, `${at}/elements/${i}`));
      return { blockId, type: 'actions', controls };
    }
    case 'input': {
      const error = errors[blockId];
      return {
        blockId,
        type: 'input',
        label: pen.text(block['label'], `${at}/label`),
        ...(block['hint'] ? { hint: pen.text(block['hint'], `${at}/hint`) } : {}),
        optional: block['optional'] === true,
        control: controlAt(block['element'], `${at}/element`),
        ...(error === undefined ? {} : { error }),
      };
    }
    case 'rich_text':
      return { blockId, type: 'rich_text', text: pen.rich(block['elements'], at) };
    case 'markdown':
      return { blockId, type: 'markdown', text: pen.markdown(asText(block['text']), at) };
    case 'image': {
      const title = block['title'] ? { title: pen.text(block['title'], `${at}/title`) } : {};
      return { blockId, type: 'image', image: image(block), ...title };
    }
    case 'table': {
      const rows = asList(block['rows']).map((row, r) =>
        asList(row).map((cell, c) => {
          const { type, elements, text } = asObj(cell);
          return type === 'rich_text' ? pen.rich(elements, `${at}/rows/${r}/${c}`) : literal(asText(text));
        }),
      );
      return { blockId, type: 'table', rows };
    }
    default:
      return { blockId, type: 'divider' };
  }
}

function image(value: Obj): ScreenImage {
  return { kind: 'image', url: asText(value['image_url']), alt: asText(value['alt_text']) };
}

function linesOf(block: ScreenBlock): string[] {
  switch (block.type) {
    case 'section':
      return [block.text, ...block.fields].flatMap((text) => (text ? [text.plain] : []));
    case 'context':
      return block.elements.map((element) => (element.kind === 'image' ? element.alt : element.plain));
    case 'input':
      return [block.label.plain, ...(block.hint ? [block.hint.plain] : [])];
    case 'table':
      return block.rows.map((row) => row.map((cell) => cell.plain).join(' | '));
    case 'image':
      return [block.image.alt];
    case 'actions':
    case 'divider':
      return [];
    case 'header':
    case 'rich_text':
    case 'markdown':
      return [block.text.plain];
  }
}
