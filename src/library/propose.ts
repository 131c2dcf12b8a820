import * as z from 'zod';
import { HandraiseError } from '../core/errors.ts';
import type { ToolCall } from '../core/ports/gate.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import { type Proposed, weighed } from '../owner/propose-once.ts';
import type { OpenCalls } from './open-calls.ts';
import type { ProposeOptions } from './types.ts';

export interface ProposeDeps {
  readonly prompter: Pick<Prompter, 'propose'>;
  readonly calls: OpenCalls;
  readonly sessionId: string;
  readonly workspace: string;
}

const visible = (what: string) =>
  z.string({ error: `${what} must be a text` }).min(1, { error: `${what} must not be empty` });
const cwd = z
  .string({ error: 'cwd must be a path' })
  .regex(/^\//, { error: 'cwd must be an absolute path' })
  .exactOptional();
const commandStep = z.strictObject({
  command: visible('command'),
  cwd,
  description: z.string({ error: 'description must be a text' }).exactOptional(),
});
const toolStep = z.strictObject({ tool: visible('tool'), input: z.unknown(), cwd });

/** `step`: whatever the host gave. A failure to record that it may run rejects, so that it does not. */
export async function proposeToPeople(
  step: unknown,
  { signal }: ProposeOptions,
  { prompter, calls, sessionId, workspace }: ProposeDeps,
): Promise<Proposed> {
  const { cwd = process.cwd(), call } = read(step);
  return calls.run(signal, async (withdrawn) => {
    const weight = await weighed(call, { cwd, sessionId }, workspace);
    if (weight.kind === 'refused') {
      throw new HandraiseError(`This step is refused without asking. ${weight.sentence}`, { code: 'refused' });
    }
    if (weight.kind === 'reads') return weight.proposed;
    const { proposed, delivery } = await weight.put(prompter, { signal: withdrawn });
    await delivery.delivered();
    return proposed;
  });
}

function read(step: unknown): { readonly cwd?: string; readonly call: ToolCall } {
  const isTool = typeof step === 'object' && step !== null && 'tool' in step;
  const parsed = isTool ? toolStep.safeParse(step) : commandStep.safeParse(step);
  if (!parsed.success) {
    throw new HandraiseError(
      `Nothing can be proposed: ${parsed.error.issues.map(({ message }) => message).join('; ')}.`,
      { code: 'usage', hint: 'Give { command: "git push origin main" }, or { tool, input } as the agent calls it.' },
    );
  }
  if ('tool' in parsed.data) {
    const { tool, input, ...where } = parsed.data;
    return { ...where, call: { tool, input } };
  }
  const { command, description, ...where } = parsed.data;
  return {
    ...where,
    call: { tool: 'Bash', input: { command, ...(description === undefined ? {} : { description }) } },
  };
}
