import { element } from './element.js';

/** Slack's own "Are you sure?" in front of a button. Resolves to whether the person confirmed. */
export function confirmed({ title, text, confirm, deny, style }) {
  const dialog = document.getElementById('confirm');
  const answer = (value, label, className) =>
    element('button', { type: 'submit', value, className: `button ${className}` }, label);
  dialog.replaceChildren(
    element(
      'form',
      { method: 'dialog' },
      element('h2', { id: 'confirm-title' }, title),
      element('p', { dir: 'auto' }, text),
      element('footer', {}, answer('no', deny, 'default'), answer('yes', confirm, style)),
    ),
  );
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
