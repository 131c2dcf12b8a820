import { randomBytes } from 'node:crypto';
import { loadConfig } from '../config/load.ts';
import { HandraiseError } from '../core/errors.ts';
import { endedBy, type Outcome } from '../core/outcomes.ts';
import type { ProposedEffect } from '../core/proposals/contract.ts';
import { createJudge, isTooLarge, type Judged } from '../gate/judge.ts';
import { proposalOf } from '../gate/proposal/build.ts';
import { DEFAULT_GATE } from '../gate/settings.ts';
import { createToolClassifier } from '../gate/tool-effects.ts';
import { EXIT, exitCodeOfSignal } from './exit-codes.ts';
import { handOver } from './hand-over.ts';
import { endsWithin, OUTLIVES_MS, openUnlessStopped } from './opening.ts';
import type { Owner } from './owner.ts';
import { readCommand } from './propose-input.ts';
import { type SessionOptions, thisSession } from './session.ts';
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
  const call = { tool: 'Bash', input };
  if (isTooLarge(call)) throw refused('It is too large for a person to review.');
  const judge = createJudge(createToolClassifier(DEFAULT_GATE, session.workspace), DEFAULT_GATE);
  const facts = { cwd, sessionId: session.sessionId };
  const { verdict, step } = await judge.classified(call, facts);
  if (verdict === 'names_handraise')
    throw refused('It names what decides about it: handraise itself is never put to anybody.');
  if (verdict === 'run') return readsOnly(step.effect);
  const signals = watchSignals();
  const stray = catchStrayFailures();
  try {
    const config = await loadConfig({ flags: { config: options.config, wait: options.wait }, env: process.env });
    const owner = await openUnlessStopped({ ...options, config, session }, signals, stray);
    if (typeof owner === 'string') return exitCodeOfSignal(owner);
    try {
      const salt = randomBytes(32).toString('hex');
      const judged = await judge.digested(call, facts, step, salt);
      return await put(judged, () => judge.isSame(judged, salt), owner, signals);
    } finally {
      await endsWithin(OUTLIVES_MS, owner.stop(OUTLIVES_MS));
    }
  } finally {
    stray.stop();
    signals.stop();
  }
}

/** Proposes, prints and says whether it may run. The first signal withdraws it. */
async function put(
  { call, facts, step, action }: Judged,
  isSame: () => Promise<boolean>,
  owner: Owner,
  signals: Signals,
): Promise<number> {
  const withdrawal = new AbortController();
  let signal: NodeJS.Signals | undefined;
  void signals.first.then((first) => {
    signal = first;
    withdrawal.abort();
  });
  const { effect } = step;
  const { digest } = action;
  // This call only: no later one of this script would know of a longer grant.
  const once = {
    scope: 'action',
    covers: 'this-call',
    lifetimeWords: 'this call',
    confirm: effect === 'external',
  } as const;
  const proposal = await proposalOf(call, facts, step, { ...action, offers: [once] });
  let requestId: string | undefined;
  const result = await owner.prompter.propose(proposal, {
    signal: withdrawal.signal,
    onAccepted: (id) => {
      requestId = id;
    },
  });
  const { outcome } = result;
  const about = { effect, digest, ...(requestId === undefined ? {} : { requestId }) };
  if (outcome.kind === 'granted' && !(await isSame())) {
    await result.lost('what would run changed after it was shown', 'drifted');
    await handOver(NO_DUTY, JSON.stringify({ outcome: 'drifted', by: 'system', ...about }));
    return EXIT.refused;
  }
  const told = await handOver(result, JSON.stringify({ ...asJson(outcome), ...about }));
  if (outcome.kind === 'granted') return told ? EXIT.ok : EXIT.notAnswered;
  if (outcome.kind === 'denied') return EXIT.refused;
  return signal === undefined ? EXIT.notAnswered : exitCodeOfSignal(signal);
}

function asJson(outcome: Outcome): Record<string, unknown> {
  return {
    outcome: outcome.kind,
    by: endedBy(outcome.kind),
    ...(outcome.kind === 'granted' ? { scope: outcome.scope } : {}),
    ...(outcome.kind === 'denied' && outcome.note !== undefined ? { note: outcome.note } : {}),
    ...(outcome.kind === 'undeliverable' ? { reason: outcome.reason } : {}),
    ...(outcome.kind === 'no_channel' && outcome.cure !== undefined ? { reason: outcome.cure } : {}),
  };
}

async function readsOnly(effect: ProposedEffect): Promise<number> {
  const told = await handOver(NO_DUTY, JSON.stringify({ outcome: 'granted', by: 'policy', scope: 'action', effect }));
  return told ? EXIT.ok : EXIT.notAnswered;
}

/** Nobody waits to hear whether it arrived. */
const NO_DUTY = { delivered: async () => undefined, lost: async () => undefined };

function refused(sentence: string): HandraiseError {
  return new HandraiseError(`This step is refused without asking. ${sentence}`, {
    code: 'refused',
    hint: 'Do it in another way, or in smaller steps.',
  });
}
