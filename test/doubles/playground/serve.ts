import { allSettled } from './all-settled.ts';
import { startPageServer } from './page-server.ts';
import { openStage } from './stage.ts';

export interface PlaygroundOptions {
  /** Takes one line of output. */
  readonly write: (line: string) => void;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
  /** TCP port on 127.0.0.1; 0 is any free one. */
  readonly port: number;
  /** Two agents over a gateway and a Redis, instead of one that talks to the platforms itself. */
  readonly redis: boolean;
}

/** Settling takes up to 3 s after an agent's end; a busy machine needs more. */
const SETTLED_WITHIN_MS = 20_000;

/** The playground for people: a page to answer in, and the agent here. Resolves once it was stopped and is cleared away. */
export async function servePlayground({ write, signal, port, redis }: PlaygroundOptions): Promise<void> {
  const { workspace, agents, projects, close } = await openStage({ redis });
  try {
    const page = await startPageServer(workspace, agents, port);
    try {
      const [first, ...others] = workspace.people.map(({ name }) => name);
      write(`Open ${page.url} in a browser: you are ${first} there, or ${others.join(', or ')}. Ctrl-C ends it.`);
      if (redis)
        write(`Two agents (${projects.join(', ')}) ask through a gateway over a Redis of their own; answer either.`);
      write('');
      const silence = agents.onChange((line) => {
        if (line !== undefined) write(`agent │ ${line.text}`);
        else if (agents.screen.state !== 'running')
          write(
            `${projects.length === 1 ? 'The agent' : 'The last agent'} ${agents.screen.note}. "Run the agent again" is on the page; Ctrl-C ends the playground.`,
          );
      });
      agents.start();
      await abortOf(signal);
      silence();
      write('Stopping …');
      await agents.stop();
      // The page shows the end of the cards, too.
      if (!(await allSettled(workspace, SETTLED_WITHIN_MS))) write('Some cards could not be settled.');
    } finally {
      await page.close();
    }
  } finally {
    await close();
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
