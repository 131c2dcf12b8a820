import { element } from './element.js';

const output = document.getElementById('output');
const state = document.getElementById('agent-state');
const again = document.getElementById('again');

/** Draws what the agent printed. `run` is `{ lines: [{ text, kind }], state, note }` as the playground sends it. */
export function drawTerminal(run) {
  const follows = output.scrollHeight - output.scrollTop - output.clientHeight < 40;
  // Lines are only ever added, until a new run starts over.
  if (output.children.length > run.lines.length) output.replaceChildren();
  for (const { text, kind } of run.lines.slice(output.children.length)) {
    output.append(element('p', { className: kind, dir: 'auto' }, text === '' ? '\u00a0' : text));
  }
  if (follows) output.scrollTop = output.scrollHeight;
  state.textContent = run.note;
  state.dataset.state = run.state;
  again.hidden = run.state === 'running';
}
