import { realpath, stat } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { HandraiseError } from '../core/errors.ts';
import type { SessionFacts } from '../core/request.ts';
import { repositoryOf } from './git.ts';

/** What is known before anything is read. `workspace` is what the user gave; relative to `cwd`'s process. */
export interface FactSources {
  readonly sessionId: string;
  readonly agent: string;
  readonly program?: string | undefined;
  readonly cwd: string;
  readonly workspace?: string | undefined;
  readonly requester?: string | undefined;
}

/**
 * Facts about this run. The workspace is the real path of the given directory, else of the git top level around the
 * working directory, else of that itself; the branch is that of the workspace. Throws `usage` for a directory that is
 * not there.
 */
export async function sessionFacts(sources: FactSources): Promise<SessionFacts> {
  const { sessionId, agent, program, cwd, workspace, requester } = sources;
  const start = workspace === undefined ? await realpath(cwd) : await realDirectory(workspace);
  const repository = await repositoryOf(start);
  const branch = repository?.branch;
  return {
    sessionId,
    agent,
    ...(program === undefined ? {} : { program }),
    workspace: workspace === undefined ? (repository?.topLevel ?? start) : start,
    ...(branch === undefined ? {} : { branch }),
    startedBy: `${userName()}@${hostname()}`,
    ...(requester === undefined ? {} : { requester }),
  };
}

async function realDirectory(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
  }
  throw new HandraiseError(`--workspace ${path} is not a directory`, {
    code: 'usage',
    hint: 'Give the directory the agent works in, or leave it out.',
  });
}

/** In a container the user may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (thrown) {
    if (thrown instanceof Error) return `uid-${process.getuid?.() ?? 'unknown'}`;
    throw thrown;
  }
}
