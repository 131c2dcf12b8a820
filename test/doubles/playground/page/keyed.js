/** What each kept child was drawn from. */
const drawnFrom = new WeakMap();

/**
 * Makes the children of `parent` match `items`, in order, and redraws only those whose `signature` changed, so that
 * focus, scroll position and half-typed text survive an update. `patch` is called on every child that is kept.
 */
export function keep(parent, items, { key, signature, draw, patch = () => {} }) {
  const before = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const focused = focusKey();
  items.forEach((item, index) => {
    const name = key(item);
    const made = signature(item);
    let child = before.get(name);
    before.delete(name);
    if (child && drawnFrom.get(child) === made) {
      patch(child, item);
    } else {
      const fresh = draw(item);
      fresh.dataset.key = name;
      drawnFrom.set(fresh, made);
      child?.replaceWith(fresh);
      child = fresh;
    }
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
  for (const gone of before.values()) gone.remove();
  restoreFocus(focused);
}

function focusKey() {
  return document.activeElement?.dataset?.focus;
}

function restoreFocus(wanted) {
  if (wanted === undefined || focusKey() === wanted) return;
  for (const node of document.querySelectorAll('[data-focus]')) {
    if (node.dataset.focus === wanted) return node.focus({ preventScroll: true });
  }
}
