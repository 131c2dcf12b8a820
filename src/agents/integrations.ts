import { HandraiseError } from '../core/errors.ts';
import type { AgentIntegration } from '../core/ports/agent-integration.ts';
import { claudeCode } from './claude-code.ts';
import { generic } from './generic.ts';

/** In the order they are tried; the last one takes any program. */
const INTEGRATIONS: readonly AgentIntegration[] = [claudeCode, generic];

/** The integration of that name, or the one that is meant for the program. Throws `usage` on an unknown name. */
export function integrationFor(program: string, name?: string): AgentIntegration {
  const found = INTEGRATIONS.find((one) => (name === undefined ? one.matches(program) : one.name === name));
  if (found !== undefined) return found;
  throw new HandraiseError(`there is no agent integration "${name}"`, {
    code: 'usage',
    hint: `Known are ${INTEGRATIONS.map((one) => one.name).join(' and ')}.`,
  });
}
