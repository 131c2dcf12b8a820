import { drawDiscordComponents } from './discord-components.js';
import { element } from './element.js';

const dialog = document.getElementById('discord-modal');
let drawn;

/** Draws the reader's modal, or closes the dialog when there is none. */
export function drawDiscordModal([modal], { channel, act }) {
  if (modal === undefined) {
    drawn = undefined;
    if (dialog.open) dialog.close();
    return;
  }
  if (drawn?.customId !== modal.customId) drawn = build(modal.customId, act);
  const { title, inputs, notice, submit, form } = drawn;
  title.textContent = modal.title;
  submit.textContent = modal.busy ? 'Sending…' : 'Submit';
  submit.disabled = modal.busy;
  form.setAttribute('aria-busy', String(modal.busy));
  notice.hidden = modal.trouble === undefined;
  drawDiscordComponents(inputs, modal.components, { id: `discord|${modal.customId}`, target: { channel }, act });
  if (!dialog.open) dialog.showModal();
}

function build(customId, act) {
  const title = element('h2', { id: 'discord-modal-title' });
  const inputs = element('div', { className: 'inputs', tabIndex: -1 });
  const notice = element('p', { className: 'notice', role: 'alert' }, 'Something went wrong. Try again.');
  const cancel = element('button', { type: 'button', className: 'dbutton secondary' }, 'Cancel');
  const submit = element('button', { type: 'submit', className: 'dbutton primary' }, 'Submit');
  const form = element('form', {}, element('header', {}, title), notice, inputs, element('footer', {}, cancel, submit));
  cancel.addEventListener('click', () => act({ do: 'close' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!submit.disabled) void act({ do: 'submit' });
  });
  dialog.oncancel = (event) => {
    event.preventDefault();
    void act({ do: 'close' });
  };
  dialog.replaceChildren(form);
  return { customId, title, inputs, notice, submit, form };
}
