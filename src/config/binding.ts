import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SessionFacts } from '../core/request.ts';
import { globMatches, literalHead } from './glob.ts';
import { homeDirectory } from './home.ts';
import type { Binding, Match } from './schema.ts';

/**
 * The binding of a run: the first whose every pattern matches, or undefined, which makes the run headless. A run outside
 * git has no branch and matches no `branch` pattern.
 */
export function bindingFor<T extends Pick<Binding, 'match'>>(
  bindings: readonly T[],
  facts: SessionFacts,
): T | undefined {
  return bindings.find(({ match }) => matches(match, facts));
}

/**
 * The binding people can be asked through, or undefined: none matches, or the one that does has `mode: deny`. The run is
 * headless then.
 */
export function askableBinding(bindings: readonly Binding[], facts: SessionFacts): Binding | undefined {
  const binding = bindingFor(bindings, facts);
  return binding?.questions.mode === 'ask' ? binding : undefined;
}

/** A workspace pattern with `~` and links in its literal part resolved, since workspaces are real paths. */
export async function resolvedPattern(pattern: string, env: NodeJS.ProcessEnv): Promise<string> {
  const absolute = pattern.startsWith('~/') ? `${homeDirectory(env).replace(/\/$/, '')}${pattern.slice(1)}` : pattern;
  const head = literalHead(absolute);
  if (!head.startsWith('/')) return absolute;
  const tail = absolute.slice(head.length);
  const real = await realFolder(head.length > 1 ? head.replace(/\/+$/, '') : head);
  return tail === '' || real.endsWith('/') ? `${real}${tail}` : `${real}/${tail}`;
}

function matches(match: Match, facts: SessionFacts): boolean {
  return (
    fits(match.workspace, facts.workspace) &&
    fits(match.session, facts.sessionId) &&
    fits(match.agent, facts.agent) &&
    fits(match.branch, facts.branch)
  );
}

function fits(pattern: string | undefined, value: string | undefined): boolean {
  if (pattern === undefined) return true;
  return value !== undefined && globMatches(pattern, value);
}

/** The real path of a folder that may not exist yet: the part that exists is resolved. */
async function realFolder(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const parent = dirname(path);
    // A pattern may name folders that do not exist, or that we may not look into; it then matches as it is written.
    if (parent === path || !(thrown instanceof Error)) return path;
    const real = await realFolder(parent);
    return `${real === '/' ? '' : real}${path.slice(parent === '/' ? 0 : parent.length)}`;
  }
}
