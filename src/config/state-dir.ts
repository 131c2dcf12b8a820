import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { homeDirectory } from './home.ts';

/**
 * `$XDG_STATE_HOME/handraise` (audit, events, card journals), made if need be and closed to everyone else (0700).
 * A relative XDG path counts as unset, as XDG demands: it would lie in the working directory, where the agent writes.
 * Throws `unavailable` when it cannot be had.
 */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  const configured = env['XDG_STATE_HOME'];
  const base =
    configured !== undefined && isAbsolute(configured) ? configured : join(homeDirectory(env), '.local', 'state');
  const directory = join(base, 'handraise');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(directory);
    if (process.getuid !== undefined && uid !== process.getuid()) throw new Error('it belongs to another user');
    if ((mode & 0o077) !== 0) chmodSync(directory, 0o700);
  } catch (thrown) {
    throw new HandraiseError(`cannot use the state directory ${directory}: ${sentenceOf(thrown)}`, {
      code: 'unavailable',
      hint: 'Set XDG_STATE_HOME to a directory of your own.',
      cause: thrown,
    });
  }
  return directory;
}
