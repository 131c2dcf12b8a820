import { drawControl, patchControls } from './controls.js';
import { element, spoken } from './element.js';
import { keep } from './keyed.js';
import { drawInline, drawText } from './text.js';

/** Draws `blocks` into `parent`, keeping every block that did not change but for what the reader filled in. */
export function drawBlocks(parent, blocks, place) {
  keep(parent, blocks, {
    key: (block) => block.blockId,
    signature: blockSignature,
    draw: (block) => element('div', { className: `block ${block.type}` }, ...DRAW[block.type](block, place)),
    patch: (node, block) => patchControls(node, controlsOf(block), place),
  });
}

/** A block without what a person filled in: two equal ones need no drawing. */
export function blockSignature(value) {
  return JSON.stringify(value, function leaveOutInput(name, inner) {
    if (name === 'selected') return undefined;
    return name === 'value' && this.kind === 'plain_text_input' ? undefined : inner;
  });
}

const DRAW = {
  header: ({ text }) => [element('h3', {}, drawInline(text))],
  section: drawSection,
  context: ({ elements }) => elements.map((each) => (each.kind === 'image' ? drawImage(each) : drawText(each))),
  actions: ({ controls }, place) => controls.map((control) => drawControl(control, place)),
  input: drawInputBlock,
  rich_text: ({ text }) => [drawText(text)],
  markdown: ({ text }) => [drawText(text)],
  image: ({ image, title }) => [...(title ? [element('p', {}, drawInline(title))] : []), drawImage(image)],
  table: ({ rows }) => [
    element('div', { className: 'table', tabIndex: 0 }, element('table', {}, ...rows.map(drawRow))),
  ],
  divider: () => [element('hr')],
};

function controlsOf(block) {
  if (block.type === 'actions') return block.controls;
  if (block.type === 'input') return [block.control];
  return block.type === 'section' && block.accessory && block.accessory.kind !== 'image' ? [block.accessory] : [];
}

function drawSection({ text, fields, accessory, folds }, place) {
  const words = element('div', { className: 'words' });
  if (text) words.append(folds ? drawFolded(text) : drawText(text));
  if (fields.length > 0) words.append(element('div', { className: 'fields' }, ...fields.map(drawText)));
  if (!accessory) return [words];
  return [words, accessory.kind === 'image' ? drawImage(accessory) : drawControl(accessory, place)];
}

/** A client folds long sections; the rest is one press away, and a reader of the page can tell. */
function drawFolded(text) {
  const body = drawText(text);
  body.classList.add('folded');
  const more = element('button', { type: 'button', className: 'more', aria: { expanded: 'false' } }, 'See more');
  more.addEventListener('click', () => {
    const open = body.classList.toggle('folded') === false;
    more.textContent = open ? 'See less' : 'See more';
    more.setAttribute('aria-expanded', String(open));
  });
  return element('div', {}, body, more);
}

function drawInputBlock({ blockId, label, hint, optional, control, error }, place) {
  const labelId = `${place.id}|${blockId}|label`;
  const name = element('div', { className: 'label', id: labelId }, drawInline(label));
  if (optional) name.append(element('span', { className: 'optional' }, ' (optional)'));
  return [
    name,
    drawControl(control, place, labelId),
    ...(hint ? [element('p', { className: 'hint' }, drawInline(hint))] : []),
    ...(error === undefined ? [] : [element('p', { className: 'error', role: 'alert' }, spoken('Error: '), error)]),
  ];
}

/** Nothing is loaded from outside this machine, so a picture is its description. */
function drawImage({ alt }) {
  return element('span', { className: 'picture', role: 'img', aria: { label: alt } }, alt);
}

function drawRow(cells, index) {
  return element('tr', {}, ...cells.map((cell) => element(index === 0 ? 'th' : 'td', {}, drawText(cell))));
}
