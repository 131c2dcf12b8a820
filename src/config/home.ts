import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { HandraiseError } from '../core/errors.ts';

/**
 * The user's home. A HOME that is empty or relative counts as unset: it would lie in the working directory, where the
 * agent writes. Throws `configuration` for a user who has none, such as a bare number in a container.
 */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  const { HOME: home } = env;
  if (home !== undefined && isAbsolute(home)) return home;
  try {
    return home === undefined ? homedir() : userInfo().homedir;
  } catch (thrown) {
    throw new HandraiseError('this user has no home directory', {
      code: 'configuration',
      hint: 'Set HOME to an absolute path, or both XDG_CONFIG_HOME and XDG_STATE_HOME.',
      cause: thrown,
    });
  }
}

/** `$XDG_CONFIG_HOME/handraise`. A relative XDG path counts as unset (the XDG rule): it would be ours. */
export function configDirectory(env: NodeJS.ProcessEnv): string {
  const configured = env['XDG_CONFIG_HOME'];
  const base = configured !== undefined && isAbsolute(configured) ? configured : join(homeDirectory(env), '.config');
  return join(base, 'handraise');
}

/** The path with `~/` as the user's home. */
export function fromHome(path: string, env: NodeJS.ProcessEnv): string {
  return path.startsWith('~/') ? join(homeDirectory(env), path.slice(2)) : path;
}
