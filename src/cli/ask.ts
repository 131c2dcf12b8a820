import { loadConfig } from '../config/load.ts';
import { isAnswered } from '../core/outcomes.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { askedOf } from '../owner/asked.ts';
import { endsWithin, OUTLIVES_MS } from '../owner/ending.ts';
import type { Owner } from '../owner/owner.ts';
import { type SessionOptions, thisSession } from '../owner/session.ts';
import { type AskInput, readBatch } from './ask-input.ts';
import { EXIT, exitCodeOfSignal } from './exit-codes.ts';
import { handOver } from './hand-over.ts';
import { openUnlessStopped } from './opening.ts';
import { type Signals, watchSignals } from './signals.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface AskOptions extends SessionOptions, AskInput {
  readonly wait?: string;
}

/**
 * `handraise ask`: puts one batch to people and prints how it ended as one line of JSON. Exit code 0 when it was
 * answered or skipped, 3 otherwise, 128+n when a signal withdrew it.
 */
export async function ask(question: string | undefined, options: AskOptions): Promise<number> {
  // Before signals are ours: whoever forgot to give it standard input ends it with Ctrl-C.
  const batch = await readBatch(question, options);
  const signals = watchSignals();
  const stray = catchStrayFailures();
  try {
    const config = await loadConfig({ flags: { config: options.config, wait: options.wait }, env: process.env });
    const session = await thisSession({ name: 'script' }, options);
    const owner = await openUnlessStopped({ ...options, config, session }, signals, stray);
    if (typeof owner === 'string') return exitCodeOfSignal(owner);
    try {
      return await put(batch, owner, signals);
    } finally {
      await endsWithin(OUTLIVES_MS, owner.stop(OUTLIVES_MS));
    }
  } finally {
    stray.stop();
    signals.stop();
  }
}

/** Asks, prints and says whether that worked. The first signal withdraws the question. */
async function put(batch: QuestionBatch, owner: Owner, signals: Signals): Promise<number> {
  const withdrawal = new AbortController();
  let signal: NodeJS.Signals | undefined;
  void signals.first.then((first) => {
    signal = first;
    withdrawal.abort();
  });
  let requestId: string | undefined;
  const result = await owner.prompter.ask(batch, {
    signal: withdrawal.signal,
    onAccepted: (id) => {
      requestId = id;
    },
  });
  const { outcome } = result;
  await handOver(result, JSON.stringify(askedOf(batch, outcome, requestId)));
  if (isAnswered(outcome)) return EXIT.ok;
  return signal === undefined ? EXIT.notAnswered : exitCodeOfSignal(signal);
}
