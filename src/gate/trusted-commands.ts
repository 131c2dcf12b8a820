import { argumentOf } from './effects/shell/argument.ts';
import { refusalToParse } from './effects/shell/limits.ts';
import { type PipelineNode, parseShell } from './effects/shell/parse.ts';
import type { Judged } from './judge.ts';
import type { GateSettings } from './settings.ts';

/**
 * Whether a step is nothing but commands that the team allows beforehand (`gate.trustedCommands`): each begins with the
 * words of one of the prefixes, and nothing in it is dynamic, redirected, assigned, or runs beside something else. What a
 * rule asks about each time (external, secrets, what decides later) is never among them.
 */
export function isTrusted({ call, facts, step }: Omit<Judged, 'action'>, { trustedCommands }: GateSettings): boolean {
  const { tool, input } = call;
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
  if (tool !== 'Bash' || typeof command !== 'string' || facts.cwd === null || step.effect === 'external') return false;
  if (step.tags.includes('secret-read') || step.tags.includes('persistence')) return false;
  return isTrustedCommand(command, trustedCommands);
}

function isTrustedCommand(command: string, prefixes: readonly string[]): boolean {
  const trusted = prefixes.map((prefix) => prefix.trim().split(/\s+/)).filter(([first]) => first !== '');
  if (trusted.length === 0 || refusalToParse(command) !== undefined) return false;
  const parsed = parseShell(command);
  if ('fault' in parsed || parsed.script.commands.length === 0) return false;
  return parsed.script.commands.every(({ command: node, background }) => {
    if (background === true) return false;
    const parts = node.type === 'AndOr' ? node.commands : [node];
    return parts.every((part) => beginsTrusted(part, trusted));
  });
}

function beginsTrusted(node: PipelineNode, trusted: readonly (readonly string[])[]): boolean {
  if (node.type !== 'Command' || node.name === undefined || node.prefix.length > 0 || node.redirects.length > 0)
    return false;
  const words: string[] = [];
  for (const word of [node.name, ...node.args]) {
    if (word.type !== 'Word') return false;
    const { text, literal } = argumentOf(word);
    if (!literal) return false;
    words.push(text);
  }
  return trusted.some((prefix) => prefix.every((word, at) => words[at] === word));
}
