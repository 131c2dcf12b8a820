import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';

const block = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(block)]);

/** The part of a Messages API request that scripts look at; everything else passes through unread. */
export const messagesBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: content.optional(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant', 'system']), content })),
  tools: z.array(z.looseObject({ name: z.string(), description: z.string().optional() })).optional(),
});

export type MessagesBody = z.infer<typeof messagesBody>;

export interface ToolResult {
  toolUseId: string;
  /** The text blocks joined by newlines. */
  text: string;
  isError: boolean;
}

/** One `POST /v1/messages`, as a script and a test see it. */
export interface ModelRequest {
  /** Position among all message requests of this server, from 1. */
  n: number;
  /** Position within its own conversation, from 1. */
  turn: number;
  agent: 'main' | 'subagent';
  /** The CLI's session id; empty when the client sends none. */
  sessionId: string;
  /** Set for a sub-agent only. */
  agentId: string | undefined;
  headers: IncomingHttpHeaders;
  /** The system prompt's blocks joined by newlines. */
  system: string;
  /** Names of the tools offered to the model. */
  tools: string[];
  /** The results in the last user message, in order. */
  toolResults: ToolResult[];
  /** The text of the last user message, without its tool results. */
  userText: string;
  body: MessagesBody;
  /** Fires when the client hangs up before the reply was sent. */
  signal: AbortSignal;
}

export function describeRequest(request: ModelRequest): string {
  const results = request.toolResults.map((result) => `${result.toolUseId}: ${result.text.slice(0, 120)}`);
  const what = results.length > 0 ? `results [${results.join('; ')}]` : JSON.stringify(request.userText.slice(-120));
  return `${request.agent} turn ${request.turn}: ${what}`;
}

/** Everything but the positions, which only the server knows. */
export function readRequest(body: MessagesBody, headers: IncomingHttpHeaders, signal: AbortSignal) {
  const agentId = oneHeader(headers, 'x-claude-code-agent-id');
  const last = body.messages.findLast((message) => message.role === 'user');
  return {
    agent: agentId === undefined ? ('main' as const) : ('subagent' as const),
    sessionId: oneHeader(headers, 'x-claude-code-session-id') ?? '',
    agentId,
    headers,
    system: textOf(body.system ?? ''),
    tools: (body.tools ?? []).map((tool) => tool.name),
    toolResults: toolResultsOf(last?.content ?? ''),
    userText: textOf(last?.content ?? ''),
    body,
    signal,
  };
}

const textBlock = z.looseObject({ type: z.literal('text'), text: z.string() });
const toolResultBlock = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: content.optional(),
  is_error: z.boolean().optional(),
});

function textOf(value: z.infer<typeof content>): string {
  if (typeof value === 'string') return value;
  return value.flatMap((each) => textBlock.safeParse(each).data?.text ?? []).join('\n');
}

function toolResultsOf(value: z.infer<typeof content>): ToolResult[] {
  if (typeof value === 'string') return [];
  return value.flatMap((each) => {
    const result = toolResultBlock.safeParse(each).data;
    if (!result) return [];
    return { toolUseId: result.tool_use_id, text: textOf(result.content ?? ''), isError: result.is_error ?? false };
  });
}

function oneHeader(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
