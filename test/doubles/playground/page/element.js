/**
 * Makes an element. `properties` are DOM properties (`data` and `aria` are spread to attributes), children are nodes or
 * strings. Strings only ever become text nodes: what agents and people wrote stays inert.
 */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  const { data = {}, aria = {}, on = {}, ...rest } = properties;
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) node[name] = value;
  for (const [name, value] of Object.entries(data)) node.dataset[name] = value;
  for (const [name, value] of Object.entries(aria)) node.setAttribute(`aria-${name}`, value);
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.flat().filter((child) => child !== undefined && child !== false));
  return node;
}

/** Text for screen readers only. */
export function spoken(text) {
  return element('span', { className: 'spoken' }, text);
}
