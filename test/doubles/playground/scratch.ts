import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  /** Everything is in here. */
  readonly root: string;
  /** The made-up projects that agents work in, a folder each, by the names that were asked for. */
  readonly projects: readonly string[];
  /** What the run gets: a home, a state and a configuration of its own, and nothing of the user's but PATH and the like. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Variables that say where things are on this machine and how it speaks; no other one is handed on. */
const KEPT = ['PATH', 'TMPDIR', 'LANG', 'TZ'] as const;

/** Files of a project, few but real: the agent reads them. The branch is all that is read of a repository. */
const filesOf = (name: string) => ({
  'package.json': JSON.stringify({ name, version: '3.2.0', dependencies: { express: '^5.1.0' } }, null, 2),
  'routes.json': JSON.stringify(['POST /sign-up', 'POST /log-in', 'POST /reset-password', 'GET /search'], null, 2),
  '.git/HEAD': 'ref: refs/heads/rate-limits\n',
});

export async function createScratch(names: readonly string[]): Promise<Scratch> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'handraise-playground-')));
  const projects = names.map((name) => join(root, name));
  for (const [at, project] of projects.entries()) {
    await mkdir(join(project, '.git'), { recursive: true });
    for (const [name, content] of Object.entries(filesOf(names[at] ?? '')))
      await writeFile(join(project, name), content);
  }
  const own = { HOME: 'home', XDG_STATE_HOME: 'state', XDG_CONFIG_HOME: 'config' } as const;
  const environment: Record<string, string> = {};
  for (const name of KEPT) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  for (const [name, folder] of Object.entries(own)) {
    environment[name] = join(root, folder);
    await mkdir(join(root, folder), { mode: 0o700 });
  }
  return { root, projects, environment, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) };
}
