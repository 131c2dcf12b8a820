import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { type Outcome, outcomeOfSheet } from '../core/outcomes.ts';
import type { Prompter, PromptResult } from '../core/ports/prompter.ts';
import { offersOf, type Proposal, SCOPES } from '../core/proposals/contract.ts';
import { decodeAnswers } from '../core/questions/answers.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';

/**
 * A script is a JSON array of steps. `{"answers": {...}, "annotations"?: {...}}` answers the first batch whose questions
 * its keys name (`{}` skips any batch); `{"outcome": "declined"}` ends any batch that way. `{"grant": "action"}` answers
 * the first proposal that offers that scope, `{"deny": true, "note"?: "…"}` any proposal. `{"outcome": "timed_out"}` ends
 * either. A step is used once; overlapping requests each take the first unused step that fits.
 */
const object = z.custom<Readonly<Record<string, unknown>>>(
  // Not z.record: it drops a key `__proto__`, which is a legal question.
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'make this an object' },
);
const scriptSchema = z.array(
  z.union([
    z.strictObject({ answers: object, annotations: object.optional() }),
    z.strictObject({ outcome: z.enum(['declined', 'timed_out']) }),
    z.strictObject({ grant: z.enum(SCOPES) }),
    z.strictObject({ deny: z.literal(true), note: z.string().min(1).optional() }),
  ]),
);
type Step = z.output<typeof scriptSchema>[number];

/** Reads `--script FILE`. Throws `usage` when it cannot be read or holds something else. */
export async function scriptedPrompter(file: string): Promise<Prompter> {
  const steps = await readScript(file);
  const next = async (outcomeOf: (step: Step) => Outcome | undefined): Promise<PromptResult> => {
    const index = steps.findIndex((step) => outcomeOf(step) !== undefined);
    const step = index < 0 ? undefined : steps.splice(index, 1)[0];
    const outcome = (step && outcomeOf(step)) ?? { kind: 'undeliverable', reason: `${file} has no step left for it` };
    return { outcome, delivered: async () => undefined, lost: async () => undefined };
  };
  return {
    ask: (batch) => next((step) => answerOf(step, batch)),
    propose: (proposal) => next((step) => decisionOf(step, proposal)),
  };
}

async function readScript(file: string): Promise<Step[]> {
  const hint = 'It holds a JSON array such as [{"answers": {"Which database?": "Postgres"}}, {"outcome": "declined"}].';
  try {
    return scriptSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : sentenceOf(error);
    throw new HandraiseError(`The script ${file} cannot be used: ${why}`, { code: 'usage', hint, cause: error });
  }
}

/** What the step does to this batch; undefined when its answers are for other questions. */
function answerOf(step: Step, batch: QuestionBatch): Outcome | undefined {
  if ('outcome' in step) return step.outcome === 'declined' ? { kind: 'declined' } : TIMED_OUT;
  if (!('answers' in step)) return undefined;
  try {
    return outcomeOfSheet(decodeAnswers(batch, step));
  } catch (error) {
    if (error instanceof HandraiseError && error.code === 'invalid_answers') return undefined;
    throw error;
  }
}

const TIMED_OUT: Outcome = { kind: 'timed_out', shown: true, waitedMs: 0 };

/** The same for a proposal; undefined for answers, and for a scope that it does not offer. */
function decisionOf(step: Step, proposal: Proposal): Outcome | undefined {
  if ('outcome' in step) return step.outcome === 'timed_out' ? TIMED_OUT : undefined;
  if ('deny' in step) return { kind: 'denied', ...(step.note === undefined ? {} : { note: step.note }) };
  if (!('grant' in step)) return undefined;
  const isOffered = offersOf(proposal).some(({ scope }) => scope === step.grant);
  return isOffered ? { kind: 'granted', scope: step.grant } : undefined;
}
