import { basename } from 'node:path';

/** Programs that say nothing about the agent; what they run does. */
const INTERPRETERS = /^(?:node|bun|deno|python[\d.]*|ruby|sh|bash|npx|uvx)$/;

/**
 * What people know the agent by: the program's name, and for an interpreter the script's, too (`node agent.js`). No other
 * argument, since prompts and secrets are among them.
 */
export function programOf([command = '', first = '']: readonly string[]): string {
  const name = basename(command);
  const isScript = INTERPRETERS.test(name) && first !== '' && !first.startsWith('-') && !/\s/.test(first);
  return isScript ? `${name} ${basename(first)}` : name;
}
