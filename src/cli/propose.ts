import { loadConfig } from '../config/load.ts';
import { HandraiseError } from '../core/errors.ts';
import { endsWithin, OUTLIVES_MS } from '../owner/ending.ts';
import type { Owner } from '../owner/owner.ts';
import { type Proposed, type Weighed, weighed } from '../owner/propose-once.ts';
import { type SessionOptions, thisSession } from '../owner/session.ts';
import { EXIT, exitCodeOfSignal } from './exit-codes.ts';
import { handOver } from './hand-over.ts';
import { openUnlessStopped } from './opening.ts';
import { readCommand } from './propose-input.ts';
import { type Signals, watchSignals } from './signals.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface ProposeOptions extends SessionOptions {
  readonly wait?: string;
}

/**
 * `handraise propose`: puts one command to those who may approve it and prints how that ended as one line of JSON. Runs
 * nothing itself. Exit code 0 when it may run, 77 when it was refused, 3 when nobody decided, 128+n when a signal
 * withdrew it. What only reads needs nobody.
 */
export async function propose(words: readonly string[], options: ProposeOptions): Promise<number> {
  // Before signals are ours: whoever forgot to give it standard input ends it with Ctrl-C.
  const { cwd, ...input } = await readCommand(words, process.cwd());
  const session = await thisSession({ name: 'script' }, options);
  const facts = { cwd, sessionId: session.sessionId };
  const step = await weighed({ tool: 'Bash', input }, facts, session.workspace);
  if (step.kind === 'refused') throw refused(step.sentence);
  if (step.kind === 'reads') return readsOnly(step.proposed);
  const signals = watchSignals();
  const stray = catchStrayFailures();
  try {
    const config = await loadConfig({ flags: { config: options.config, wait: options.wait }, env: process.env });
    const owner = await openUnlessStopped({ ...options, config, session }, signals, stray);
    if (typeof owner === 'string') return exitCodeOfSignal(owner);
    try {
      return await put(step, owner, signals);
    } finally {
      await endsWithin(OUTLIVES_MS, owner.stop(OUTLIVES_MS));
    }
  } finally {
    stray.stop();
    signals.stop();
  }
}

/** Proposes, prints and says whether it may run. The first signal withdraws it. */
async function put(step: Extract<Weighed, { kind: 'asks' }>, owner: Owner, signals: Signals): Promise<number> {
  const withdrawal = new AbortController();
  let signal: NodeJS.Signals | undefined;
  void signals.first.then((first) => {
    signal = first;
    withdrawal.abort();
  });
  const { proposed, delivery } = await step.put(owner.prompter, { signal: withdrawal.signal });
  const told = await handOver(delivery, JSON.stringify(proposed));
  if (proposed.outcome === 'granted') return told ? EXIT.ok : EXIT.notAnswered;
  if (proposed.outcome === 'denied' || proposed.outcome === 'drifted') return EXIT.refused;
  return signal === undefined ? EXIT.notAnswered : exitCodeOfSignal(signal);
}

async function readsOnly(proposed: Proposed): Promise<number> {
  const told = await handOver({ delivered: nobodyWaits, lost: nobodyWaits }, JSON.stringify(proposed));
  return told ? EXIT.ok : EXIT.notAnswered;
}

async function nobodyWaits(): Promise<void> {}

function refused(sentence: string): HandraiseError {
  return new HandraiseError(`This step is refused without asking. ${sentence}`, {
    code: 'refused',
    hint: 'Do it in another way, or in smaller steps.',
  });
}
