import { element } from './element.js';

/** How to bring a control that was kept up to date: what the reader filled in is on the double. */
const patches = new WeakMap();

/** Draws one control of Discord. `place` is `{ id, target, act }`; `labelledBy` the id of a visible label. */
export function drawDiscordControl(control, place, labelledBy) {
  const id = `${place.id}|${control.customId}`;
  const node = (DRAW[control.kind] ?? drawUnknown)(control, place, { id, labelledBy });
  node.dataset.control = id;
  return node;
}

/** Brings what a drawn control holds up to date without drawing it again. */
export function patchDiscordControls(root, controls, place) {
  for (const control of controls) {
    const id = `${place.id}|${control.customId}`;
    const node = [...root.querySelectorAll('[data-control]')].find((each) => each.dataset.control === id);
    patches.get(node)?.(control);
  }
}

const DRAW = {
  button: drawButton,
  string_select: (control, place, label) =>
    control.max > 1 ? drawChoices(control, place, label, 'checkbox') : drawSelect(control, place, label),
  radio_group: (control, place, label) => drawChoices(control, place, label, 'radio'),
  checkbox_group: (control, place, label) => drawChoices(control, place, label, 'checkbox'),
  checkbox: (control, place, label) => drawChoices(control, place, label, 'checkbox'),
  text_input: drawInput,
};

function drawButton(control, place, { id }) {
  const button = element(
    'button',
    {
      type: 'button',
      className: `dbutton ${control.style}`,
      disabled: control.disabled,
      data: { focus: id },
      dir: 'auto',
    },
    control.shown,
  );
  if (control.shown !== control.text) {
    button.title = control.text;
    button.setAttribute('aria-label', control.text);
  }
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    button.setAttribute('aria-busy', 'true');
    await place.act({ do: 'click', ...target(control, place) });
    button.removeAttribute('aria-busy');
  });
  return button;
}

function drawSelect(control, place, { id, labelledBy }) {
  const select = element('select', {
    disabled: control.disabled,
    data: { focus: id },
    aria: naming(control, labelledBy),
  });
  select.append(element('option', { value: '', disabled: true, hidden: true }, control.text || 'Make a selection'));
  for (const { text, description, value } of control.options) {
    select.append(element('option', { value }, description === undefined ? text : `${text} · ${description}`));
  }
  const patch = (now) => {
    select.value = now.options.find(({ selected }) => selected)?.value ?? '';
  };
  patch(control);
  select.addEventListener('change', () =>
    place.act({ do: 'select', ...target(control, place), options: [select.value] }),
  );
  patches.set(select, patch);
  return select;
}

/** Discord sends a select with several choices when its menu closes; here a button does. In a modal it only fills in. */
function drawChoices(control, place, { id, labelledBy }, type) {
  const box = element('div', {
    className: 'choices',
    role: type === 'radio' ? 'radiogroup' : 'group',
    aria: naming(control, labelledBy),
  });
  const boxes = control.options.map((option, index) => {
    const input = element('input', { type, name: id, value: option.value, data: { focus: `${id}|${index}` } });
    const words = element('span', { dir: 'auto' }, element('span', { className: 'choice' }, option.text));
    if (option.description) words.append(element('small', {}, option.description));
    box.append(element('label', {}, input, words));
    return input;
  });
  const patch = (now) =>
    now.options.forEach(({ selected }, index) => {
      if (boxes[index].checked !== selected) boxes[index].checked = selected;
    });
  patch(control);
  const inModal = place.target.message === undefined;
  // In a message, ticks that were not sent are known to nobody else.
  if (inModal) patches.set(box, patch);
  const send = () => {
    const options = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    return place.act({ do: 'select', ...target(control, place), options });
  };
  if (inModal) box.addEventListener('change', send);
  else box.append(element('button', { type: 'button', className: 'dbutton secondary', on: { click: send } }, 'Choose'));
  return box;
}

function drawInput(control, place, { id, labelledBy }) {
  const input = element(control.multiline ? 'textarea' : 'input', {
    placeholder: control.text,
    value: control.value ?? '',
    maxLength: control.maxLength,
    data: { focus: id },
    dir: 'auto',
    aria: naming(control, labelledBy),
  });
  if (control.multiline) input.rows = 3;
  else input.type = 'text';
  input.addEventListener('input', () => place.act({ do: 'type', ...target(control, place), text: input.value }));
  patches.set(input, (now) => {
    // While somebody types, the screen that comes back is already older than what they see.
    if (document.activeElement !== input) input.value = now.value ?? '';
  });
  return input;
}

function drawUnknown({ kind }) {
  return element('span', { className: 'picture' }, `a ${kind.replaceAll('_', ' ')}, which the page cannot draw`);
}

function target(control, place) {
  return { ...place.target, customId: control.customId };
}

function naming(control, labelledBy) {
  return labelledBy === undefined ? { label: control.text } : { labelledby: labelledBy };
}
