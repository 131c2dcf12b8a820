import { randomBytes } from 'node:crypto';
import { loadConfig } from '../config/load.ts';
import { HandraiseError } from '../core/errors.ts';
import { endedBy, type Outcome } from '../core/outcomes.ts';
import type { Proposal } from '../core/proposals/contract.ts';
import { actionDigest } from '../gate/digest/action-digest.ts';
import { type Classification, classifyCommand } from '../gate/effects/classify.ts';
import { gateVerdict } from '../gate/verdict.ts';
import { EXIT, exitCodeOfSignal } from './exit-codes.ts';
import { handOver } from './hand-over.ts';
import { endsWithin, OUTLIVES_MS, openUnlessStopped } from './opening.ts';
import type { Owner } from './owner.ts';
import { type ProposedCommand, readCommand } from './propose-input.ts';
import { type SessionOptions, thisSession } from './session.ts';
import { type Signals, watchSignals } from './signals.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface ProposeOptions extends SessionOptions {
  readonly wait?: string;
}

/** UTF-8 bytes of a command that a person could still review (product.md "Cards"). */
const MOST_BYTES = 512 * 1_024;

/**
 * `handraise propose`: puts one command to those who may approve it and prints how that ended as one line of JSON. Runs
 * nothing itself. Exit code 0 when it may run, 77 when it was refused, 3 when nobody decided, 128+n when a signal
 * withdrew it. What only reads needs nobody.
 */
export async function propose(words: readonly string[], options: ProposeOptions): Promise<number> {
  // Before signals are ours: whoever forgot to give it standard input ends it with Ctrl-C.
  const step = await readCommand(words, process.cwd());
  const found = classifyCommand(step.command);
  if (Buffer.byteLength(step.command) > MOST_BYTES) throw refused('It is too large for a person to review.');
  const verdict = gateVerdict(found);
  if (verdict === 'deny') throw refused('It names what decides about it: handraise itself is never put to anybody.');
  if (verdict === 'allow') return readsOnly(found);
  const signals = watchSignals();
  const stray = catchStrayFailures();
  try {
    const config = await loadConfig({ flags: { config: options.config, wait: options.wait }, env: process.env });
    const session = await thisSession({ name: 'script' }, options);
    const owner = await openUnlessStopped({ ...options, config, session }, signals, stray);
    if (typeof owner === 'string') return exitCodeOfSignal(owner);
    try {
      return await put(step, found, owner, signals);
    } finally {
      await endsWithin(OUTLIVES_MS, owner.stop(OUTLIVES_MS));
    }
  } finally {
    stray.stop();
    signals.stop();
  }
}

/** Proposes, prints and says whether it may run. The first signal withdraws it. */
async function put(step: ProposedCommand, found: Classification, owner: Owner, signals: Signals): Promise<number> {
  const withdrawal = new AbortController();
  let signal: NodeJS.Signals | undefined;
  void signals.first.then((first) => {
    signal = first;
    withdrawal.abort();
  });
  const salt = randomBytes(32).toString('hex');
  const digest = await digestOf(step, found, salt);
  let requestId: string | undefined;
  const result = await owner.prompter.propose(proposalOf(step, found, digest), {
    signal: withdrawal.signal,
    onAccepted: (id) => {
      requestId = id;
    },
  });
  const { outcome } = result;
  const facts = { effect: found.effect, digest, ...(requestId === undefined ? {} : { requestId }) };
  if (outcome.kind === 'granted' && (await digestOf(step, found, salt)) !== digest) {
    await result.lost('what would run changed after it was shown');
    const drifted = { outcome: 'drifted', by: 'system', ...facts };
    await handOver({ delivered: nothing, lost: nothing }, JSON.stringify(drifted));
    return EXIT.refused;
  }
  const told = await handOver(result, JSON.stringify({ ...asJson(outcome), ...facts }));
  if (outcome.kind === 'granted') return told ? EXIT.ok : EXIT.notAnswered;
  if (outcome.kind === 'denied') return EXIT.refused;
  return signal === undefined ? EXIT.notAnswered : exitCodeOfSignal(signal);
}

/** This call only: no later one of this script would know of a longer grant. */
function proposalOf({ command, cwd, description }: ProposedCommand, found: Classification, digest: string): Proposal {
  const { effect, tags, reason, part } = found;
  return {
    tool: 'Bash',
    effect,
    tags,
    reason,
    part,
    programs: [],
    targets: [],
    hosts: [],
    cwd,
    full: { kind: 'command', text: command },
    ...(description === undefined ? {} : { agentSays: description }),
    digest,
    offers: [{ scope: 'action', covers: 'this-call', lifetimeWords: 'this call', confirm: effect === 'external' }],
  };
}

async function digestOf({ command, cwd }: ProposedCommand, { effect }: Classification, salt: string): Promise<string> {
  return (await actionDigest({ tool: 'Bash', input: { command }, cwd, effect, targets: [] }, salt)).digest;
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

async function readsOnly({ effect }: Classification): Promise<number> {
  const json = JSON.stringify({ outcome: 'granted', by: 'policy', scope: 'action', effect });
  const told = await handOver({ delivered: nothing, lost: nothing }, json);
  return told ? EXIT.ok : EXIT.notAnswered;
}

async function nothing(): Promise<void> {}

function refused(sentence: string): HandraiseError {
  return new HandraiseError(`This step is refused without asking. ${sentence}`, {
    code: 'refused',
    hint: 'Do it in another way, or in smaller steps.',
  });
}
