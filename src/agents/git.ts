import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** What can be read of a repository without running git, whose configuration may run programs of the agent's choice. */
export interface Repository {
  /** The top level of the work tree. */
  readonly topLevel: string;
  /** Absent on a detached HEAD, and where the branch is not kept in a plain file (reftable). */
  readonly branch?: string;
}

/** The repository whose work tree holds `directory` (a real path), or undefined. */
export async function repositoryOf(directory: string): Promise<Repository | undefined> {
  for (let at = directory; ; at = dirname(at)) {
    const head = await headOf(join(at, '.git'));
    if (head !== undefined) {
      const branch = /^ref: refs\/heads\/(\S+)/.exec(head)?.[1];
      return branch === undefined || branch === '.invalid' ? { topLevel: at } : { topLevel: at, branch };
    }
    if (dirname(at) === at) return undefined;
  }
}

/** Content of HEAD. In linked work trees and submodules `.git` is a file that names the directory. */
async function headOf(dotGit: string): Promise<string | undefined> {
  try {
    if ((await stat(dotGit)).isDirectory()) return await readFile(join(dotGit, 'HEAD'), 'utf8');
    const elsewhere = /^gitdir: (.+)$/m.exec(await readFile(dotGit, 'utf8'))?.[1];
    return elsewhere === undefined
      ? undefined
      : await readFile(join(resolve(dirname(dotGit), elsewhere), 'HEAD'), 'utf8');
  } catch (thrown) {
    // No repository here, or one that this user cannot look into, which is none for our purpose.
    if (thrown instanceof Error && 'code' in thrown) return undefined;
    throw thrown;
  }
}
