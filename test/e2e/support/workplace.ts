import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { noneLeft, processesWith } from './process-tree.ts';

export interface Workplace extends AsyncDisposable {
  /** An empty home directory. Every process of the run carries it, which is how they are found again. */
  home: string;
  /** A git repository with one commit, on branch `feature/greeting`. */
  project: string;
  /** A folder for configuration files, outside both. */
  files: string;
  /** TMPDIR of the run: where sockets and scratch files of handraise and the agent are found, and go with it. */
  tmp: string;
  /** Exactly what a command line of this workplace gets: nothing of the test runner's own environment. */
  environment: Record<string, string>;
}

/**
 * A machine's worth of nothing for one agent run. Disposal kills (SIGKILL, by pid) every process that was started with
 * this home, and removes the files. `binDirs` come first in PATH, then the running Node's.
 */
export async function createWorkplace(binDirs: string[] = []): Promise<Workplace> {
  // Agents report resolved paths, so links in the path of the temporary folder are resolved here.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-e2e-')));
  const home = join(root, 'home');
  const project = join(root, 'project');
  const files = join(root, 'files');
  const tmp = join(root, 'tmp');
  const path = [...binDirs, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  const environment = { HOME: home, TMPDIR: tmp, PATH: path, LANG: 'C.UTF-8', TERM: 'dumb' };
  await Promise.all([home, project, files, tmp].map((folder) => mkdir(folder)));
  await writeFile(join(project, 'README.md'), '# Greeting\n');
  const git = (...args: string[]) => execa('git', args, { cwd: project, env: environment, extendEnv: false });
  await git('init', '--quiet', '--initial-branch', 'feature/greeting');
  await git('add', 'README.md');
  await git('-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', 'commit', '--quiet', '-m', 'Start');

  const dispose = async (): Promise<void> => {
    const mine = () => processesWith('HOME', home);
    for (const { pid } of await mine()) killIfThere(pid);
    await noneLeft(mine);
    await rm(root, { recursive: true, force: true });
  };
  return { home, project, files, tmp, environment, [Symbol.asyncDispose]: dispose };
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Ended between listing and killing: what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
