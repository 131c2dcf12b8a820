import type { LifecycleFrame, ObserveFrame } from '../core/wire/frames.ts';
import { WIRE_VERSION } from '../core/wire/limits.ts';

/** What the owner is told about one event of Claude Code's hooks; undefined for events that tell it nothing. */
export function frameOf(input: string): ObserveFrame | LifecycleFrame | undefined {
  const event = objectIn(input);
  const text = (name: string): string | undefined => {
    const value = event[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const head = { v: WIRE_VERSION, id: 'hook' } as const;
  const sessionId = text('session_id');
  const turnId = text('prompt_id');
  switch (text('hook_event_name')) {
    case 'PreToolUse': {
      const toolUseId = text('tool_use_id');
      const cwd = text('cwd');
      // Half of the facts are no facts: the step then counts as one of which nothing is known.
      if (toolUseId === undefined || cwd === undefined) return undefined;
      const agentId = text('agent_id');
      const agentType = text('agent_type');
      return {
        ...head,
        kind: 'observe',
        toolUseId,
        cwd,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(turnId === undefined ? {} : { turnId }),
        ...(agentId === undefined ? {} : { agentId }),
        ...(agentType === undefined ? {} : { agentType }),
      };
    }
    case 'UserPromptSubmit':
      return turnId === undefined ? undefined : { ...head, kind: 'lifecycle', event: 'turn_began', turnId };
    case 'Stop':
      return turnId === undefined ? undefined : { ...head, kind: 'lifecycle', event: 'turn_ended', turnId };
    case 'SessionEnd':
      // At the end of every process, too, after which a session may be resumed: the run itself ends what ends with it.
      return sessionId === undefined || !ENDS_SESSION.has(text('reason') ?? '')
        ? undefined
        : { ...head, kind: 'lifecycle', event: 'session_ended', sessionId };
    default:
      return undefined;
  }
}

const ENDS_SESSION: ReadonlySet<string> = new Set(['clear', 'logout']);

function objectIn(input: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    // The input may hold what the agent works on, so the parser's own words stay out of the message.
    throw new Error('its input is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('its input is no JSON object');
  return value as Readonly<Record<string, unknown>>;
}
