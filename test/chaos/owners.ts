import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { Asked, Received } from './history.ts';
import { readLines } from './lines.ts';
import type { OwnerTask } from './owner.ts';
import { comeAsUsual } from './priority.ts';

const PROGRAM = fileURLToPath(new URL('./owner.js', import.meta.url));

/** One owner: a process that asks, and after a kill another one that asks what is left. */
export interface OwnerProcess {
  /** Process starts that were killed. */
  readonly killed: readonly string[];
  /** A process asks, or is about to. */
  readonly isRunning: boolean;
  kill(): Promise<void>;
  start(): void;
  notes(): { readonly asked: readonly Asked[]; readonly received: readonly Received[] };
}

const note = z.union([
  z.object({ note: z.literal('asked'), key: z.string(), owner: z.string(), at: z.number() }),
  z.object({
    note: z.literal('received'),
    key: z.string(),
    owner: z.string(),
    text: z.string(),
    isError: z.boolean(),
    at: z.number(),
  }),
]);

export interface OwnerOptions {
  readonly name: string;
  readonly folder: string;
  readonly redisUrl: string;
  readonly verdictKeys: readonly string[];
  readonly leaseMs?: number | undefined;
  readonly lanes: OwnerTask['lanes'];
  /** It ended although nobody killed it and something is left to ask. */
  readonly onFailure: (why: string) => void;
  readonly onDone: () => void;
}

export function createOwner({
  name,
  folder,
  redisUrl,
  verdictKeys,
  leaseMs,
  lanes,
  onFailure,
  onDone,
}: OwnerOptions): OwnerProcess {
  const killed: string[] = [];
  let starts = 0;
  let running: ChildProcess | undefined;
  const sockets = join(folder, 's');
  mkdirSync(sockets, { recursive: true });
  const names = () => Array.from({ length: starts }, (_, at) => `${name}.${at + 1}`);
  const notesOf = (incarnation: string) => join(folder, `${incarnation}.notes`);

  const notes = () => {
    const all = names().flatMap((incarnation) => readLines(notesOf(incarnation)).map((line) => note.parse(line)));
    return {
      asked: all.filter((one) => one.note === 'asked'),
      received: all.filter((one) => one.note === 'received'),
    };
  };

  return {
    killed,
    get isRunning() {
      return running !== undefined;
    },
    notes,
    start() {
      const begun = new Set(notes().asked.map(({ key }) => key));
      starts += 1;
      const incarnation = `${name}.${starts}`;
      const task: OwnerTask = {
        name: incarnation,
        redisUrl,
        verdictKeys,
        sockets,
        notes: notesOf(incarnation),
        log: join(folder, `${name}.log`),
        ...(leaseMs === undefined ? {} : { leaseMs }),
        lanes: lanes.map(({ workspace, keys }) => ({ workspace, keys: keys.filter((key) => !begun.has(key)) })),
      };
      const file = join(folder, `${incarnation}.json`);
      writeFileSync(file, JSON.stringify(task));
      const errors = openSync(join(folder, `${name}.err`), 'a');
      const child = spawn(process.execPath, [PROGRAM, file], { stdio: ['ignore', 'ignore', errors] });
      closeSync(errors);
      comeAsUsual(child.pid);
      running = child;
      child.once('exit', (code) => {
        if (running !== child) return;
        running = undefined;
        if (code !== 0) onFailure(`${incarnation} ended with ${code}`);
        onDone();
      });
    },
    async kill() {
      const child = running;
      if (child === undefined) return;
      running = undefined;
      killed.push(`${name}.${starts}`);
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
