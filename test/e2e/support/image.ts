import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { execa } from 'execa';
import type { ReadDockerfile, Stage } from '../../support/dockerfile.ts';

/** Uid and gid of `node` in the official image; the test's machine need not have such a user. */
export const NODE_USER = 1000;

export interface BuildOptions {
  readonly dockerfile: ReadDockerfile;
  /** Folder that is sent to the builder. */
  readonly context: string;
  readonly ignores: (path: string) => boolean;
  /** An empty folder; each stage gets a root of its own in it. */
  readonly into: string;
}

/** A container's file system as far as the Dockerfile made it; the base image is this machine. */
export interface BuiltStage {
  readonly root: string;
  readonly workdir: string;
}

/** What a RUN step may call: everything here works below the working directory, since this is no container. */
const HARMLESS = /^(npm (ci|run build|prune)( --[\w=-]+)*|rm -r dist\/\w+|mkdir \w+)$/;

/** Takes the steps of the Dockerfile one by one and returns the last stage. */
export async function buildImage({ dockerfile, context, ignores, into }: BuildOptions): Promise<BuiltStage> {
  const built = new Map<string, BuiltStage>();
  let last: BuiltStage | undefined;
  for (const [at, stage] of dockerfile.stages.entries()) {
    last = await buildStage(stage, join(into, `stage-${at}`), context, ignores, built);
    if (stage.name !== undefined) built.set(stage.name, last);
  }
  if (last === undefined) throw new Error('the Dockerfile has no stage');
  return last;
}

async function buildStage(
  { steps }: Stage,
  root: string,
  context: string,
  ignores: BuildOptions['ignores'],
  built: ReadonlyMap<string, BuiltStage>,
): Promise<BuiltStage> {
  let workdir = '/';
  const within = (path: string) => join(root, resolve(workdir, path));
  mkdirSync(root);
  for (const step of steps) {
    switch (step.kind) {
      case 'workdir':
        workdir = resolve(workdir, step.path);
        mkdirSync(within('.'), { recursive: true });
        break;
      case 'run':
        await run(step.command, within('.'));
        break;
      case 'copy': {
        const source = step.from === undefined ? undefined : built.get(step.from);
        if (step.from !== undefined && source === undefined) throw new Error(`no stage is called ${step.from}`);
        const intoFolder = step.sources.length > 1 || step.target.endsWith('/');
        for (const path of step.sources) {
          const from = source === undefined ? join(context, path) : join(source.root, resolve('/', path));
          const isFile = statSync(from).isFile();
          const to = within(isFile && intoFolder ? join(step.target, basename(path)) : step.target);
          copy(from, to, source === undefined ? (file) => !ignores(relative(context, file)) : () => true);
          if (step.owner !== undefined) own(to);
        }
      }
    }
  }
  return { root, workdir: within('.') };
}

async function run(command: string, cwd: string): Promise<void> {
  for (const part of command.split(' && ')) {
    if (!HARMLESS.test(part)) throw new Error(`"${part}" is not run outside of a container; see ${HARMLESS}`);
  }
  // The cache of the machine's own npm, where there is one.
  await execa('sh', ['-c', command], { cwd, env: { npm_config_prefer_offline: 'true' }, timeout: 400_000 });
}

/** Files of the context that are ignored do not exist for the builder; folders are only what holds files. */
function copy(from: string, to: string, takes: (file: string) => boolean): void {
  const stats = statSync(from);
  if (!stats.isDirectory()) {
    if (!takes(from)) throw new Error(`${from} is not in the build context: .dockerignore keeps it out`);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
    return;
  }
  mkdirSync(to, { recursive: true });
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => statOf(path) !== 'file' || takes(path),
  });
}

function statOf(path: string): 'file' | 'folder' {
  return statSync(path).isDirectory() ? 'folder' : 'file';
}

/** `--chown`, where this process may. */
function own(path: string): void {
  if (process.getuid?.() !== 0) return;
  for (const name of ['.', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(path, name), NODE_USER, NODE_USER);
  }
  chmodSync(path, 0o755);
}
