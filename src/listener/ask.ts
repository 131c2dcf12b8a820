import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import { isAnswered, type Outcome, replyToModel } from '../core/outcomes.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { AskContext, Prompter, PromptResult } from '../core/ports/prompter.ts';
import { type EncodedAnswers, encodeAnswers } from '../core/questions/answers.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { normaliseQuestions, type Origin } from '../core/questions/normalise.ts';
import type { AskFrame, BridgeBoundFrame } from '../core/wire/frames.ts';
import type { GateDesk } from './gate-desk.ts';
import type { CallRegistry, Fate, OpenCall } from './registry.ts';

/** How long the bridge may take to flush an outcome to its agent and say so, in ms of the listener's clock. */
export const CONFIRMATION_MS = 10_000;

/** Open asks one connection may have. Far above what an agent does; it bounds what a runaway one can queue. */
const MOST_OPEN_CALLS = 512;

/** What a served ask needs of its surroundings. */
export interface AskDeps {
  readonly prompter: Prompter;
  /** Judges steps; without it every one is refused. */
  readonly gate?: GateDesk;
  readonly registry: CallRegistry;
  readonly clock: Clock;
  /** Names calls of the older wire, which has no ids. */
  readonly newId: NewId;
  readonly log: Logger;
}

/** The connection, as far as an ask sees it. `write` resolves to whether the line left for the peer. */
export interface Channel {
  write(frame: object): Promise<boolean>;
}

/** Serves one ask of wire v1, from its frame to the confirmation that its outcome arrived. */
export async function serveAsk(frame: AskFrame, channel: Channel, deps: AskDeps): Promise<void> {
  const { id } = frame;
  const read = readQuestions(
    { questions: frame.questions, ...(frame.metadata === undefined ? {} : { metadata: frame.metadata }) },
    'model',
  );
  if ('refusal' in read) return refuse(channel, { id, code: 'invalid_questions', text: read.refusal });
  if (deps.registry.countOf(channel) >= MOST_OPEN_CALLS) {
    return refuse(channel, {
      id,
      code: 'unavailable',
      text: `${MOST_OPEN_CALLS} questions are already open on this connection; wait for an answer first.`,
    });
  }
  const call = deps.registry.open(channel, id, { mayReturn: true });
  if (call === undefined) {
    return refuse(channel, { id, code: 'duplicate_id', text: `A call with id "${id}" is still open.` });
  }
  const subAgent = deps.gate?.subAgentOf(frame.toolUseId);
  try {
    const put = await putToPeople(call, read.batch, deps, {
      ...(frame.toolUseId === undefined ? {} : { pendingId: frame.toolUseId }),
      ...(subAgent === undefined ? {} : { subAgent }),
      onAccepted: (requestId) => send(channel, { v: 1, kind: 'accepted', id, requestId }),
    });
    if (!call.signal.aborted) {
      send(channel, {
        v: 1,
        kind: 'outcome',
        id,
        ...(put.requestId === undefined ? {} : { requestId: put.requestId }),
        outcome: put.outcome.kind,
        ...replyToModel(read.batch, put.outcome),
        ...answersOf(read.batch, put.outcome),
      });
      call.offer();
    }
    await report(put, await fateWithin(CONFIRMATION_MS, call, deps.clock), deps.log);
  } finally {
    deps.registry.end(channel, id);
  }
}

/** The batch, or the sentence that tells its author what to change. */
export function readQuestions(input: unknown, origin: Origin): { batch: QuestionBatch } | { refusal: string } {
  try {
    return { batch: normaliseQuestions(input, origin) };
  } catch (error) {
    if (!(error instanceof HandraiseError)) throw error;
    return { refusal: [error.message, error.hint].filter((part) => part !== undefined).join(' ') };
  }
}

/** How it ended. Without `result` the prompter failed, so nobody has to be told about the delivery. */
export interface Put {
  readonly outcome: Outcome;
  readonly requestId?: string;
  readonly result?: PromptResult;
}

/** Asks the prompter. One that throws is told to the agent as an `undeliverable`, never as a hang. */
export async function putToPeople(
  call: OpenCall,
  batch: QuestionBatch,
  deps: AskDeps,
  context: Omit<AskContext, 'signal'>,
): Promise<Put> {
  let requestId: string | undefined;
  const onAccepted = (accepted: string) => {
    requestId = accepted;
    context.onAccepted?.(accepted);
  };
  try {
    const result = await deps.prompter.ask(batch, { ...context, onAccepted, signal: call.signal });
    return { outcome: result.outcome, result, ...(requestId === undefined ? {} : { requestId }) };
  } catch (error) {
    deps.log.error({ requestId, error: sentenceOf(error) }, 'asking failed');
    const reason = error instanceof HandraiseError ? error.message : 'an internal error; see the log of the run';
    return { outcome: { kind: 'undeliverable', reason }, ...(requestId === undefined ? {} : { requestId }) };
  }
}

/** Tells the prompter whether its outcome arrived. */
export async function report(put: Put, fate: Fate, log: Logger): Promise<void> {
  try {
    if (fate.delivered) await put.result?.delivered();
    else await put.result?.lost(fate.why);
  } catch (error) {
    // The agent has what it gets; only the record is behind, and the prompter's own recovery ends it.
    log.error({ requestId: put.requestId, error: sentenceOf(error) }, 'recording the delivery failed');
  }
}

/** Answers in the form agents read, where there are any. */
export function answersOf(batch: QuestionBatch, outcome: Outcome): EncodedAnswers | undefined {
  return isAnswered(outcome) ? encodeAnswers(batch, outcome.sheet) : undefined;
}

export async function fateWithin(ms: number, call: OpenCall, clock: Clock): Promise<Fate> {
  const stop = clock.after(ms, () => call.lose(`the bridge did not confirm the delivery within ${ms / 1_000} s`));
  try {
    return await call.fate;
  } finally {
    stop();
  }
}

export function refuse(
  channel: Channel,
  error: Omit<Extract<BridgeBoundFrame, { kind: 'error' }>, 'v' | 'kind'>,
): void {
  send(channel, { v: 1, kind: 'error', ...error });
}

/** A line that does not leave means the peer is gone; its socket's close decides the call's fate, so nobody waits here. */
export function send(channel: Channel, frame: BridgeBoundFrame): void {
  void channel.write(frame);
}
