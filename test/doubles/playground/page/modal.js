import { drawBlocks } from './blocks.js';
import { element } from './element.js';

const dialog = document.getElementById('modal');
/** The view that is drawn now, and what its parts are. */
let drawn;

/** Draws the front one of the reader's modals, or closes the dialog when there is none. `view` is `{ act }`. */
export function drawModals(modals, view) {
  const modal = modals.at(-1);
  if (modal === undefined) {
    drawn = undefined;
    if (dialog.open) dialog.close();
    return;
  }
  if (drawn?.viewId !== modal.viewId) drawn = build(modal.viewId, view);
  const { title, blocks, notice, close, submit, form } = drawn;
  title.textContent = modal.title;
  close.textContent = modals.length > 1 ? 'Back' : modal.close;
  submit.hidden = modal.submit === undefined;
  submit.textContent = modal.busy ? 'Sending…' : (modal.submit ?? '');
  submit.disabled = modal.busy;
  form.setAttribute('aria-busy', String(modal.busy));
  notice.hidden = modal.trouble === undefined;
  notice.textContent = modal.trouble === undefined ? '' : 'We had some trouble connecting. Try again?';
  drawBlocks(blocks, modal.blocks, { id: modal.viewId, target: {}, act: view.act });
  if (!dialog.open) dialog.showModal();
}

function build(viewId, view) {
  const title = element('h2', { id: 'modal-title' });
  const blocks = element('div', { className: 'blocks', tabIndex: -1 });
  const notice = element('p', { className: 'notice', role: 'alert', hidden: true });
  const close = element('button', { type: 'button', className: 'button default' });
  const submit = element('button', { type: 'submit', className: 'button primary' });
  const all = element('button', { type: 'button', className: 'icon', aria: { label: 'Close' } }, '✕');
  const form = element(
    'form',
    {},
    element('header', {}, title, all),
    notice,
    blocks,
    element('footer', {}, close, submit),
  );
  close.addEventListener('click', () => view.act({ do: 'close', how: 'one' }));
  all.addEventListener('click', () => view.act({ do: 'close', how: 'all' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!submit.disabled && !submit.hidden) void view.act({ do: 'submit' });
  });
  // Escape closes one view, as in Slack; the dialog itself closes when the double says that it is gone.
  dialog.oncancel = (event) => {
    event.preventDefault();
    void view.act({ do: 'close', how: 'one' });
  };
  dialog.replaceChildren(form);
  return { viewId, title, blocks, notice, close, submit, form };
}
