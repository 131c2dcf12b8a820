import { drawDiscordControl, patchDiscordControls } from './discord-controls.js';
import { element, spoken } from './element.js';
import { keep } from './keyed.js';
import { drawText } from './text.js';

export { patchDiscordControls };

/** Draws components into `parent`, keeping those that did not change but for what the reader filled in. */
export function drawDiscordComponents(parent, components, place) {
  keep(parent, components, {
    key: (component) => String(components.indexOf(component)),
    signature: discordSignature,
    draw: (component) => DRAW[component.type](component, place),
    patch: (node, component) => patchDiscordControls(node, controlsOf(component), place),
  });
}

/** Something drawn without what a person filled in: two equal ones need no drawing. */
export function discordSignature(value) {
  return JSON.stringify(value, function leaveOutInput(name, inner) {
    if (name === 'selected') return undefined;
    return name === 'value' && this.kind === 'text_input' ? undefined : inner;
  });
}

const DRAW = {
  text: ({ text }) => drawText(text),
  section: drawSection,
  container: drawContainer,
  row: ({ controls }, place) =>
    element('div', { className: 'row' }, ...controls.map((control) => drawDiscordControl(control, place))),
  separator: ({ divider, large }) =>
    element('hr', { className: `${divider ? 'line' : 'gap'}${large ? ' large' : ''}` }),
  gallery: ({ images }) => element('div', { className: 'row' }, ...images.map(drawImage)),
  file: ({ name }) => element('p', { className: 'attached' }, name),
  label: drawLabel,
};

function controlsOf(component) {
  if (component.type === 'row') return component.controls;
  if (component.type === 'label') return [component.control];
  if (component.type === 'container') return component.components.flatMap(controlsOf);
  return component.type === 'section' && component.accessory.kind !== 'image' ? [component.accessory] : [];
}

function drawSection({ texts, accessory }, place) {
  return element(
    'div',
    { className: 'section' },
    element('div', { className: 'words' }, ...texts.map(drawText)),
    accessory.kind === 'image' ? drawImage(accessory) : drawDiscordControl(accessory, place),
  );
}

function drawContainer({ color, components }, place) {
  const box = element('div', { className: 'container' });
  if (color !== undefined) box.style.setProperty('--edge', `#${color.toString(16).padStart(6, '0')}`);
  box.append(...components.map((component) => DRAW[component.type](component, place)));
  return box;
}

function drawLabel({ label, description, control, error }, place) {
  const id = `${place.id}|${control.customId}|label`;
  const name = element('div', { className: 'label', id }, label);
  if (control.required) name.append(element('span', { className: 'required', aria: { hidden: 'true' } }, ' *'));
  return element(
    'div',
    { className: 'labelled' },
    name,
    description === undefined ? undefined : element('p', { className: 'hint' }, description),
    drawDiscordControl(control, place, id),
    error === undefined ? undefined : element('p', { className: 'error', role: 'alert' }, spoken('Error: '), error),
  );
}

/** Nothing is loaded from outside this machine, so a picture is its description. */
function drawImage({ alt }) {
  return element('span', { className: 'picture', role: 'img', aria: { label: alt } }, alt);
}
