import { HandraiseError } from '../core/errors.ts';
import { EXIT } from './exit-codes.ts';

export interface PlaygroundFlags {
  /** Answer by itself and exit, for machines without a browser. */
  readonly auto: boolean;
  /** TCP port of the page on 127.0.0.1. Default 0: any free one. */
  readonly port?: number;
  /** Two agents over a gateway and a Redis of its own. */
  readonly redis?: boolean;
}

/**
 * `handraise playground`: a Slack and a Discord on this machine, a page to use them with, and an agent that asks.
 * Returns the exit code: 0 when it was stopped by a signal, or when the automatic run went well, else 1. Throws
 * `unavailable` where it is not installed: it lives among the test doubles, which a pruned installation does without.
 */
export async function playground({ auto, port = 0, redis = false }: PlaygroundFlags): Promise<number> {
  const { runAutomatically, servePlayground } = await load();
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = () => stop.abort();
  for (const name of signals) process.once(name, onSignal);
  const write = (line: string) => process.stdout.write(`${line}\n`);
  try {
    if (!auto) {
      await servePlayground({ write, signal: stop.signal, port, redis });
      return EXIT.ok;
    }
    const complaint = await runAutomatically({ write, signal: stop.signal, redis });
    if (complaint === undefined) return EXIT.ok;
    process.stderr.write(`handraise: the playground failed: ${complaint}\n`);
    return EXIT.failed;
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

async function load() {
  try {
    return await import('../../test/doubles/playground/index.ts');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new HandraiseError('The playground is not part of this installation.', {
      code: 'unavailable',
      hint: 'Clone the repository, then run `npm ci && npm start` in it.',
      cause: error,
    });
  }
}
