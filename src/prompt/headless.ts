import type { Prompter, PromptResult } from '../core/ports/prompter.ts';

/**
 * Answers for nobody, at once: no binding matches this run, so there is no one to ask. Agents are not given the tool
 * then; scripts and libraries that ask anyway get this stable answer.
 */
export const headlessPrompter: Prompter = {
  ask: nobody,
  propose: nobody,
  nobodyDecides: { kind: 'no_channel' },
};

async function nobody(): Promise<PromptResult> {
  return { outcome: { kind: 'no_channel' }, delivered: async () => undefined, lost: async () => undefined };
}
