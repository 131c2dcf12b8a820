import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { type ToolReply, unreachableReply } from '../core/outcomes.ts';
import { ASK_TOOL } from '../core/questions/tool-text.ts';
import { INPUT_SCHEMA } from './build-facts.ts';
import type { OwnerAnswer } from './client.ts';
import { type ToolCalls, type ToolRequest, toolUseIdOf } from './tool-calls.ts';

export const ASK: Tool = {
  name: ASK_TOOL.name,
  title: ASK_TOOL.title,
  description: ASK_TOOL.description,
  inputSchema: INPUT_SCHEMA as Tool['inputSchema'],
  // Read-only: Claude Code then runs several asks at once, and Codex needs no approval for it.
  annotations: { title: ASK_TOOL.title, readOnlyHint: true },
};

/** The `ask` tool: the questions go to the owner, who also words what the agent gets. */
export async function ask(
  args: Readonly<Record<string, unknown>>,
  request: ToolRequest,
  calls: ToolCalls,
): Promise<CallToolResult> {
  const complaint = complainAboutKeys(args);
  if (complaint !== undefined) return asResult(complaint, true);
  const reply = await calls.put(
    {
      kind: 'ask',
      questions: args['questions'],
      ...(args['metadata'] === undefined ? {} : { metadata: args['metadata'] }),
      ...toolUseIdOf(request._meta?.['claudecode/toolUseId']),
    },
    request,
  );
  const { text, isError } = replyToAsk(reply);
  return asResult(text, isError);
}

/** What the agent reads, also where the owner gave no reply. */
export function replyToAsk(reply: OwnerAnswer['reply']): ToolReply {
  if ('unreachable' in reply) return unreachableReply(reply.unreachable);
  if (!('unsendable' in reply)) return reply;
  const { unsendable, cure } = reply;
  return { text: `The questions were not asked: ${unsendable}. ${cure} and ask again.`, isError: true };
}

/** The contract takes these two keys; a third one is a call that meant something else. */
function complainAboutKeys(args: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(args).find((key) => key !== 'questions' && key !== 'metadata');
  if (unknown === undefined) return undefined;
  return `The questions were not asked: "${unknown.slice(0, 80)}" is not known; send {"questions":[…]} and, if you like, metadata. Correct the call and ask again.`;
}

function asResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
