import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Folders whose programs are what their names say (trust.md B5.4). */
const TRUSTED = /^\/(usr\/(local\/)?)?s?bin\/*$/;

/**
 * The file that a program's name stands for, where that is not in a trusted folder: then it may be any program. Undefined
 * for one that is, for a name that is nowhere on the `PATH` (the shell's own, or nothing at all), and for a path.
 */
export type ProgramLookup = (name: string, cwd: string) => Promise<string | undefined>;

/** Looks along the agent's `PATH`, as a shell in that folder would; looks anew each time. */
export function createProgramLookup(env: NodeJS.ProcessEnv): ProgramLookup {
  const folders = env['PATH']?.split(':') ?? [];
  return async (name, cwd) => {
    if (name === '' || name.includes('/')) return undefined;
    for (const folder of folders) {
      const file = join(resolve(cwd, folder), name);
      if (await isProgram(file)) return TRUSTED.test(folder) ? undefined : file;
    }
    return undefined;
  };
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Not there, or not to be started: the shell goes on to the next folder.
    return false;
  }
}
