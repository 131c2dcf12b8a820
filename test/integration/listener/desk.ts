import type { Outcome } from '../../../src/core/outcomes.ts';
import type { AskContext, Prompter } from '../../../src/core/ports/prompter.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import { PROPOSES_NOTHING } from '../../support/requests.ts';

/** One question on the desk, with what became of its answer. */
export interface Asked {
  readonly batch: QuestionBatch;
  readonly context: AskContext;
  answer(outcome: Outcome): void;
  /** Answers the first option of every question. */
  pickFirst(): void;
  fail(error: Error): void;
  /** `delivered`, or `lost: <why>`: what the listener said about the answer. */
  readonly fate: Promise<string>;
}

/** A prompter whose operator is the test. Like the real ones it ends an aborted ask as cancelled. */
export interface Desk extends Prompter {
  /** The next question that nobody took yet. */
  next(): Promise<Asked>;
  /** Questions put so far. */
  readonly count: number;
}

export function createDesk(): Desk {
  const untaken: Asked[] = [];
  const takers: ((asked: Asked) => void)[] = [];
  let count = 0;
  return {
    ...PROPOSES_NOTHING,
    get count() {
      return count;
    },
    next: () => {
      const asked = untaken.shift();
      return asked === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(asked);
    },
    ask(batch, context) {
      count += 1;
      return new Promise((resolve, reject) => {
        let tellFate: (fate: string) => void;
        const fate = new Promise<string>((settle) => {
          tellFate = settle;
        });
        const answer = (outcome: Outcome) =>
          resolve({
            outcome,
            delivered: async () => tellFate('delivered'),
            lost: async (why) => tellFate(`lost: ${why}`),
          });
        context.signal.addEventListener('abort', () => answer({ kind: 'cancelled' }), { once: true });
        context.onAccepted?.(`request-${count}`);
        const asked = { batch, context, answer, pickFirst: () => answer(firstOf(batch)), fail: reject, fate };
        const taker = takers.shift();
        if (taker === undefined) untaken.push(asked);
        else taker(asked);
      });
    },
  };
}

/** The outcome in which the operator picked the first option of every question. */
export function firstOf(batch: QuestionBatch): Outcome {
  const sheet = batch.questions.map((asked) => ({
    status: 'answered' as const,
    labels: asked.options.slice(0, 1).map((option) => option.label),
  }));
  return { kind: 'answered', sheet };
}

/** Questions as a model sends them. */
export function questionsReading(text: string): readonly unknown[] {
  const option = (label: string) => ({ label, description: `What ${label} means.` });
  return [{ question: text, header: 'Choice', multiSelect: false, options: [option('Redis'), option('Memory')] }];
}
