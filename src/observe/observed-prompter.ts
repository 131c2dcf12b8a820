import type { Clock } from '../core/clock.ts';
import { type NewId, newRandomId } from '../core/ids.ts';
import { endedBy, isAnswered, type Outcome } from '../core/outcomes.ts';
import type { Prompter, PromptResult } from '../core/ports/prompter.ts';
import { CONTRACT } from '../core/questions/contract.ts';
import { cutTo } from '../core/text.ts';
import type { EventSink, QuestionEvent } from './events.ts';

export interface ObservedOptions {
  readonly newId?: NewId;
  /** Masks secrets in headers. Default: nothing is masked. */
  readonly mask?: (text: string) => string;
}

/**
 * The same prompter, with its events: `asked` at once, and exactly one of `answered` and `unanswered` when it is known
 * what the agent got. An operator's answer that was lost on the way counts as unanswered, `indeterminate`. Proposals pass
 * as they are: the gate has an event for every step it judges.
 */
export function observed(
  prompter: Prompter,
  events: EventSink,
  clock: Clock,
  { newId = newRandomId, mask = (text) => text }: ObservedOptions = {},
): Prompter {
  return {
    async ask(batch, context) {
      const asked = {
        id: newId(),
        // Masked before it is cut: a part of a secret is not recognised.
        headers: batch.questions.map(({ header }) => cutTo(mask(header), CONTRACT.header.max)),
        questions: batch.questions.length,
      };
      const begun = clock.now();
      let requestId: string | undefined;
      events.emit({
        event: 'operator.question.asked',
        at: begun,
        ...asked,
        duration_ms: 0,
        outcome: null,
        by: 'agent',
      });

      let ended = false;
      const end = (outcome: Outcome, at: number): void => {
        if (ended) return;
        ended = true;
        events.emit({
          event: eventOf(outcome),
          at: clock.now(),
          ...asked,
          duration_ms: at - begun,
          outcome: outcome.kind,
          by: endedBy(outcome.kind),
          answers: isAnswered(outcome) ? outcome.sheet.filter((answer) => answer.status === 'answered').length : 0,
          ...(requestId === undefined ? {} : { request_id: requestId }),
        });
      };

      try {
        const result = await prompter.ask(batch, {
          ...context,
          onAccepted(id) {
            requestId = id;
            context.onAccepted?.(id);
          },
        });
        return watched(result, clock.now(), end);
      } catch (thrown) {
        // Whoever called words it as undeliverable, so that is what the agent gets.
        end({ kind: 'undeliverable', reason: 'error' }, clock.now());
        throw thrown;
      }
    },
    propose: (proposal, context) => prompter.propose(proposal, context),
    nobodyDecides: prompter.nobodyDecides,
  };
}

/** The terminal event waits for delivery, since only then it is known whether an answer became one for the agent. */
function watched(result: PromptResult, at: number, end: (outcome: Outcome, at: number) => void): PromptResult {
  const { outcome } = result;
  const isOperators = endedBy(outcome.kind) === 'operator';
  return {
    outcome,
    delivered() {
      end(outcome, at);
      return result.delivered();
    },
    lost(why) {
      end(isOperators ? { kind: 'indeterminate' } : outcome, at);
      return result.lost(why);
    },
  };
}

/** product.md "Outcomes": only answers, also skipped ones, are `answered`. */
function eventOf(outcome: Outcome): Exclude<QuestionEvent['event'], 'operator.question.asked'> {
  return isAnswered(outcome) ? 'operator.question.answered' : 'operator.question.unanswered';
}
