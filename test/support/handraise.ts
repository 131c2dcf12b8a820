import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The command as it is installed. Needs the build. */
export const HANDRAISE = join(ROOT, 'handraise.mjs');

/** A small program of `test/fixtures/agents`, as the end of a command line: `node …/name.mjs`. */
export function fixtureAgent(name: string, ...args: string[]): string[] {
  return [process.execPath, join(ROOT, 'test/fixtures/agents', `${name}.mjs`), ...args];
}

/** A home and a working directory of their own, so that nothing of this machine's user takes part. */
export function createDesk() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hr-desk-')));
  const [home, work, temporary] = [join(root, 'home'), join(root, 'work'), join(root, 'tmp')];
  for (const folder of [home, work, temporary]) mkdirSync(folder);
  const env = { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, TMPDIR: temporary };
  return {
    home,
    work,
    /** TMPDIR of everything started here: the sockets lie in it. */
    temporary,
    /** Where `handraise` keeps its state. */
    state: join(home, '.local/state/handraise'),
    env,
    /**
     * Starts `handraise` there. Standard input is empty unless `input` is given; nothing is thrown for an exit code. It is
     * killed when it lasts longer than `withinMs` (default 60,000).
     */
    start(
      args: readonly string[],
      options: { env?: Record<string, string>; input?: string | Uint8Array; withinMs?: number } = {},
    ) {
      return execa(process.execPath, [HANDRAISE, ...args], {
        cwd: work,
        env: { ...env, ...options.env },
        extendEnv: false,
        reject: false,
        encoding: 'buffer',
        stripFinalNewline: false,
        ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
        timeout: options.withinMs ?? 60_000,
        killSignal: 'SIGKILL',
      });
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type Desk = ReturnType<typeof createDesk>;
