import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { type ToolCalls, type ToolRequest, toolUseIdOf } from './tool-calls.ts';

/**
 * What Claude Code asks before every step (`--permission-prompt-tool`). It takes the tool out of the model's list, so the
 * words are for people who look at the server.
 */
export const APPROVE: Tool = {
  name: 'approve',
  title: 'Decide about a step',
  description: 'Called by the agent itself before a step: whether it may be run. Not for models.',
  inputSchema: {
    type: 'object',
    properties: { tool_name: { type: 'string' }, input: { type: 'object' }, tool_use_id: { type: 'string' } },
    required: ['tool_name', 'input'],
  },
  annotations: { title: 'Decide about a step', readOnlyHint: true },
};

/** What Claude Code takes: one text block with either as JSON, both members required (agents.md 3c). */
type Permission =
  | { readonly behavior: 'allow'; readonly updatedInput: object }
  | { readonly behavior: 'deny'; readonly message: string };

/**
 * The `approve` tool: the step goes to the owner's gate. Whatever is not an allow of it, in full, is a denial: no owner,
 * no answer, one that is not understood.
 */
export async function approve(
  args: Readonly<Record<string, unknown>>,
  request: ToolRequest,
  calls: ToolCalls,
): Promise<CallToolResult> {
  const { tool_name: tool, input, tool_use_id: toolUseId = request._meta?.['claudecode/toolUseId'] } = args;
  if (typeof tool !== 'string' || tool === '') return asResult(undecided('the agent did not name the tool'));
  const reply = await calls.put({ kind: 'propose', tool, input, ...toolUseIdOf(toolUseId) }, request);
  if ('unsendable' in reply) return asResult(undecided(reply.unsendable));
  if ('unreachable' in reply) return asResult(undecided(reply.unreachable));
  const permission = reply.isError ? undefined : permissionIn(reply.text);
  if (permission !== undefined) return asResult(permission);
  // Whatever was decided, it is not what the agent gets.
  calls.withdraw(request.requestId);
  return asResult(undecided(reply.isError ? reply.text.slice(0, 500) : 'it answered in a form that is not known here'));
}

function permissionIn(text: string): Permission | undefined {
  let read: Partial<Record<'behavior' | 'updatedInput' | 'message', unknown>> | null;
  try {
    read = JSON.parse(text);
  } catch {
    // Told to the agent by the caller, as any reply that is not understood.
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const { behavior, updatedInput, message } = read;
  if (behavior === 'allow' && typeof updatedInput === 'object' && updatedInput !== null && !Array.isArray(updatedInput))
    return { behavior, updatedInput };
  return behavior === 'deny' && typeof message === 'string' ? { behavior, message } : undefined;
}

/** A denial that nobody decided on. `why`: a clause. */
export function undecided(why: string): Permission & { readonly behavior: 'deny' } {
  return {
    behavior: 'deny',
    message: `Nobody could decide about this step: handraise, which has to, cannot be reached (${why}). This is not a refusal by a person. Nothing was run. Go on with what you can do without it, and say what is left undone and why.`,
  };
}

function asResult(permission: Permission): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(permission) }] };
}
