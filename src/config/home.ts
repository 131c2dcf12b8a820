import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
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
