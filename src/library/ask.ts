import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { AskContext, Prompter, PromptResult } from '../core/ports/prompter.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { normaliseQuestions } from '../core/questions/normalise.ts';
import { type Asked, askedOf } from '../owner/asked.ts';
import type { OpenCalls } from './open-calls.ts';
import type { AskOptions } from './types.ts';

export interface AskDeps {
  readonly prompter: Pick<Prompter, 'ask'>;
  readonly calls: OpenCalls;
  readonly log: Logger;
}

/** `questions`: whatever the host gave; the normaliser judges it. */
export async function askPeople(
  questions: unknown,
  { signal, pendingId, subAgent }: AskOptions,
  { prompter, calls, log }: AskDeps,
): Promise<Asked> {
  const batch = normaliseQuestions(questions, 'caller');
  return calls.run(signal, async (withdrawn) => {
    const { outcome, requestId } = await putAndConfirm(batch, prompter, log, {
      signal: withdrawn,
      ...(pendingId === undefined ? {} : { pendingId }),
      ...(subAgent === undefined ? {} : { subAgent }),
    });
    return askedOf(batch, outcome, requestId);
  });
}

/**
 * Asks, and confirms that the answer has arrived: in this process it has once it is returned. A prompter that fails is an
 * `undeliverable`, never a hang. Never rejects.
 */
export async function putAndConfirm(
  batch: QuestionBatch,
  prompter: Pick<Prompter, 'ask'>,
  log: Logger,
  context: Omit<AskContext, 'onAccepted'>,
): Promise<{ readonly outcome: Outcome; readonly requestId: string | undefined }> {
  let requestId: string | undefined;
  let result: PromptResult;
  try {
    result = await prompter.ask(batch, {
      ...context,
      onAccepted: (id) => {
        requestId = id;
      },
    });
  } catch (thrown) {
    log.error({ requestId, error: sentenceOf(thrown) }, 'asking failed');
    const reason = thrown instanceof HandraiseError ? thrown.message : 'an internal error; see the log of the session';
    return { outcome: { kind: 'undeliverable', reason }, requestId };
  }
  try {
    await result.delivered();
  } catch (thrown) {
    // The asker has what it gets; only the record is behind, and the prompter's own recovery ends it.
    log.error({ requestId, error: sentenceOf(thrown) }, 'recording the delivery failed');
  }
  return { outcome: result.outcome, requestId };
}
