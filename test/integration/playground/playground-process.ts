import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { createDesk, HANDRAISE } from '../../support/handraise.ts';

export interface PlaygroundProcess extends AsyncDisposable {
  readonly pid: number;
  /** Everything it printed so far. */
  readonly lines: readonly string[];
  /** The first line that fits, also of those that are there. Rejects when the process ends without it. */
  line(fits: RegExp): Promise<string>;
  /** Settles when the process has ended and its output is closed. */
  readonly ended: Promise<{ exitCode: number | undefined; stderr: string }>;
  signal(name: NodeJS.Signals): void;
  /** Home, temporary folder and working directory of its own. */
  readonly desk: ReturnType<typeof createDesk>;
}

/** Starts `handraise playground` as a real process. Disposal kills it, unless it has ended, and removes its desk. */
export function startPlayground(args: readonly string[], environment: Record<string, string> = {}): PlaygroundProcess {
  const desk = createDesk();
  const child = execa(process.execPath, [HANDRAISE, 'playground', ...args], {
    cwd: desk.work,
    env: { ...desk.env, ...environment },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const reader = createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const over = new Promise<void>((resolve) => reader.once('close', resolve));
  const ended = Promise.all([child, over]).then(([{ exitCode, stderr }]) => ({ exitCode, stderr: String(stderr) }));
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    desk,
    line(fits) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => fits.test(line));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(({ stderr }) => reject(new Error(`ended without ${fits}:\n${lines.join('\n')}\n${stderr}`)));
      });
    },
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      desk.remove();
    },
  };
}

/** Address of its page. */
export async function urlOf(playground: PlaygroundProcess): Promise<string> {
  const line = await playground.line(/http:/);
  return /http:\S+/.exec(line)?.[0] ?? '';
}

/** What a page is sent about the screen of the first person, piece by piece. */
export async function watchScreen(url: string) {
  const { people } = (await (await fetch(`${url}setup`)).json()) as { people: { id: string }[] };
  const { body } = await fetch(`${url}events?user=${people[0]?.id}`);
  const pieces = (body ?? new ReadableStream<Uint8Array>())[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = '';
  return {
    /** Reads on until it was sent. Rejects when the stream ends before. */
    async shows(wanted: RegExp): Promise<void> {
      while (!wanted.test(text)) {
        const { done, value } = await pieces.next();
        if (done) throw new Error(`the stream ended without ${wanted}:\n${text}`);
        text += decoder.decode(value, { stream: true });
      }
    },
  };
}
