import { sentenceOf } from '../core/errors.ts';
import type { EndedBy, OutcomeKind } from '../core/outcomes.ts';
import type { GateEvent } from '../core/ports/gate.ts';
import type { Logger } from '../core/ports/logger.ts';
import { openLineFile } from './line-file.ts';
import { maskedFields } from './masked-fields.ts';

/**
 * One line of the events file. All three kinds carry the same keys, so that a reader needs one schema: while a question
 * is only asked, its duration is 0 and it has no outcome yet. Never a question's text, a label or an answer.
 */
export type QuestionEvent =
  | (Described & {
      readonly event: 'operator.question.asked';
      readonly duration_ms: 0;
      readonly outcome: null;
      /** Who asks. */
      readonly by: 'agent';
    })
  | (Described & Ended & { readonly event: 'operator.question.answered' | 'operator.question.unanswered' });

interface Described {
  /** Milliseconds since the epoch; written as `ts`. */
  readonly at: number;
  /** The same on `asked` and on the one line that ends it. */
  readonly id: string;
  /** The headers, which are tags of at most 12 characters. */
  readonly headers: readonly string[];
  /** How many questions were put at once. */
  readonly questions: number;
}

interface Ended {
  /** From the call to its outcome. */
  readonly duration_ms: number;
  readonly outcome: OutcomeKind;
  readonly by: EndedBy;
  /** How many of the questions were answered. */
  readonly answers: number;
  /** Links to the audit; absent when there never was a request (headless). */
  readonly request_id?: string;
}

/** Where events go. `emit` never throws: a run is not stopped by a full disk. */
export interface EventSink {
  emit(event: QuestionEvent): void;
}

/** Takes the gate's events, too. */
export interface EventFile extends EventSink {
  emit(event: QuestionEvent | GateEvent): void;
  close(): void;
}

export interface EventOptions {
  readonly sessionId: string;
  readonly log: Logger;
  /** Masks secrets in what events say of a step. Default: nothing is masked. */
  readonly mask?: (text: string) => string;
}

/** Events as JSON lines in a file, 0600. A line that cannot be written is reported to the log, without its content. */
export function openEvents(path: string, { sessionId, log, mask = (text) => text }: EventOptions): EventFile {
  const file = openLineFile(path, { durable: false });
  return {
    emit({ at, event, id, ...facts }) {
      const line = { ts: new Date(at).toISOString(), event, id, session_id: sessionId, ...maskedFields(facts, mask) };
      try {
        file.append(JSON.stringify(line));
      } catch (thrown) {
        log.error({ event, id, error: sentenceOf(thrown) }, 'event could not be written');
      }
    },
    close: () => file.close(),
  };
}
