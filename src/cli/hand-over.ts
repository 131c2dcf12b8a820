import type { PromptResult } from '../core/ports/prompter.ts';

/** Prints how it ended, as one line. Delivered is what has left this process; false when it did not. */
export async function handOver(result: Pick<PromptResult, 'delivered' | 'lost'>, json: string): Promise<boolean> {
  const failure = await new Promise<Error | null | undefined>((resolve) => {
    process.stdout.once('error', resolve);
    process.stdout.write(`${json}\n`, resolve);
  });
  if (failure == null) await result.delivered();
  else await result.lost(failure.message);
  return failure == null;
}
