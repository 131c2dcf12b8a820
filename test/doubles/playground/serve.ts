import { startPageServer } from './page-server.ts';
import { openStage } from './stage.ts';

export interface PlaygroundOptions {
  /** Takes one line of output. */
  readonly write: (line: string) => void;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
  /** TCP port on 127.0.0.1; 0 is any free one. */
  readonly port: number;
}

/** The playground for people: a page to answer in, and the agent here. Resolves once it was stopped and is cleared away. */
export async function servePlayground({ write, signal, port }: PlaygroundOptions): Promise<void> {
  const { workspace, agent, close } = await openStage();
  try {
    const page = await startPageServer(workspace, agent, port);
    try {
      const [first, ...others] = workspace.people.map(({ name }) => name);
      write(`Open ${page.url} in a browser: you are ${first} there, or ${others.join(', or ')}. Ctrl-C ends it.`);
      write('');
      const silence = agent.onChange((line) => {
        if (line !== undefined) write(`agent │ ${line.text}`);
        else write(`The agent ${agent.screen.note}. "Run the agent again" is on the page; Ctrl-C ends the playground.`);
      });
      agent.start();
      await abortOf(signal);
      silence();
      write('Stopping …');
      await agent.stop();
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
