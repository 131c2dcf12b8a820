import { confirmed } from './confirm.js';
import { element, spoken } from './element.js';

/** How to bring a control that was kept up to date: what the reader filled in is on the double. */
const patches = new WeakMap();

/**
 * Draws one control. `place` is where it is: `{ id, target, act }`, with `id` unique on the page and `target` what the
 * double needs to find it. `labelledBy` is the id of a visible label.
 */
export function drawControl(control, place, labelledBy) {
  const id = `${place.id}|${control.blockId}|${control.actionId}`;
  const node = DRAW[control.kind](control, place, { id, labelledBy });
  node.dataset.control = id;
  return node;
}

/** Brings what a drawn control holds up to date without drawing it again. */
export function patchControls(root, controls, place) {
  for (const control of controls) {
    const id = `${place.id}|${control.blockId}|${control.actionId}`;
    const node = [...root.querySelectorAll('[data-control]')].find((each) => each.dataset.control === id);
    patches.get(node)?.(control);
  }
}

const DRAW = {
  button: drawButton,
  static_select: drawSelect,
  multi_static_select: drawMultiSelect,
  radio_buttons: (control, place, label) => drawChoices(control, place, label, 'radio'),
  checkboxes: (control, place, label) => drawChoices(control, place, label, 'checkbox'),
  overflow: drawOverflow,
  plain_text_input: drawInput,
};

function drawButton(control, place, { id }) {
  const button = element(
    'button',
    { type: 'button', className: `button ${control.style}`, data: { focus: id }, dir: 'auto' },
    control.shown,
  );
  if (control.shown !== control.text) {
    button.title = control.text;
    button.setAttribute('aria-label', control.text);
  }
  button.addEventListener('click', async () => {
    if (button.getAttribute('aria-busy') === 'true') return;
    const answer = control.confirm === undefined ? {} : { confirm: await confirmed(control.confirm) };
    button.setAttribute('aria-busy', 'true');
    await place.act({ do: 'click', ...target(control, place), ...answer });
    button.removeAttribute('aria-busy');
  });
  return button;
}

function drawSelect(control, place, { id, labelledBy }) {
  const select = element('select', { data: { focus: id }, aria: naming(control, labelledBy) });
  const option = ({ text, description, value }) =>
    element('option', { value }, description === undefined ? text : `${text} · ${description}`);
  select.append(element('option', { value: '', disabled: true, hidden: true }, control.text || 'Choose…'));
  for (const [group, members] of grouped(control.options)) {
    if (group === undefined) select.append(...members.map(option));
    else select.append(element('optgroup', { label: group }, ...members.map(option)));
  }
  const patch = (now) => {
    const value = now.options.find(({ selected }) => selected)?.value ?? '';
    if (select.value !== value) select.value = value;
  };
  patch(control);
  select.addEventListener('change', () =>
    place.act({ do: 'select', ...target(control, place), options: [select.value] }),
  );
  patches.set(select, patch);
  return select;
}

function drawMultiSelect(control, place, { id, labelledBy }) {
  const chosen = element('span', { className: 'chosen' });
  const box = element('details', { className: 'multi' });
  box.append(
    element('summary', { data: { focus: id } }, chosen),
    drawChoices(control, place, { id: `${id}|list`, labelledBy }, 'checkbox'),
  );
  const list = box.lastElementChild;
  const patch = (now) => {
    const picked = now.options.filter(({ selected }) => selected).map(({ text }) => text);
    chosen.textContent = picked.length === 0 ? now.text || 'Choose…' : picked.join(', ');
    patches.get(list)(now);
  };
  patch(control);
  patches.set(box, patch);
  return box;
}

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
  box.addEventListener('change', () => {
    const options = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    void place.act({ do: 'select', ...target(control, place), options });
  });
  patches.set(box, patch);
  return box;
}

function drawOverflow(control, place, { id }) {
  const menu = element('details', { className: 'overflow' });
  const items = control.options.map((option) =>
    element('button', {
      type: 'button',
      className: 'menu-item',
      textContent: option.text,
      on: {
        click: () => {
          menu.open = false;
          void place.act({ do: 'select', ...target(control, place), options: [option.value] });
        },
      },
    }),
  );
  menu.append(element('summary', { data: { focus: id } }, '⋯', spoken('More actions')), element('div', {}, ...items));
  return menu;
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

function target(control, place) {
  return { ...place.target, block: control.blockId, action: control.actionId };
}

function naming(control, labelledBy) {
  return labelledBy === undefined ? { label: control.text } : { labelledby: labelledBy };
}

function grouped(options) {
  const groups = new Map();
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  return groups;
}
