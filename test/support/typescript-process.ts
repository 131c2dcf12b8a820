import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Resolves with the first line on stdout; rejects when the process ends without one. */
  readonly firstLine: Promise<string>;
  readonly finished: Promise<Finished>;
}

/**
 * Builds a TypeScript fixture to one file, so that plain Node 20 runs it as a real process. `remove` deletes the build.
 */
export async function buildFixture(source: string): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-fixture-'));
  const file = join(folder, 'fixture.mjs');
  // Some dependencies are CommonJS and call `require`.
  const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [source],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: banner },
    logLevel: 'error',
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts `node file ...args`, or, with a limit, under a shell that lets no file grow beyond `blocks` of 512 bytes. */
export function startNode(
  file: string,
  args: readonly string[],
  { fileSizeBlocks }: { fileSizeBlocks?: number } = {},
): RunningProcess {
  const command = [process.execPath, file, ...args];
  const limited = ['sh', '-c', `ulimit -f ${fileSizeBlocks} && exec "$0" "$@"`, ...command];
  const [program = '', ...rest] = fileSizeBlocks === undefined ? command : limited;
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const finished = new Promise<Finished>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const end = stdout.indexOf('\n');
      if (end >= 0) resolve(stdout.slice(0, end));
    });
    child.on('close', () => reject(new Error(`ended without a line on stdout: ${stderr}`)));
  });
  // Whoever awaits only the end does not have to care that there was no line.
  firstLine.catch(() => undefined);
  return { child, firstLine, finished };
}
