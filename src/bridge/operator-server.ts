import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../core/clock.ts';
import { APPROVE, approve } from './approve-tool.ts';
import { ASK, ask } from './ask-tool.ts';
import { VERSION } from './build-facts.ts';
import type { OwnerClient } from './client.ts';
import type { ToolName } from './command-line.ts';
import { ToolCalls, type ToolRequest } from './tool-calls.ts';

type Call = (
  args: Readonly<Record<string, unknown>>,
  request: ToolRequest,
  calls: ToolCalls,
) => Promise<CallToolResult>;

const TOOLS: Readonly<Record<ToolName, { readonly tool: Tool; readonly call: Call }>> = {
  ask: { tool: ASK, call: ask },
  approve: { tool: APPROVE, call: approve },
};

/**
 * Serves the MCP server `operator` with the given tools on a transport. `initialize` and `tools/list` are answered from
 * constants, before anything is dialled. `flushed` resolves when everything sent so far has left this process.
 */
export async function serveOperator(
  transport: Transport,
  deps: {
    readonly owner: OwnerClient;
    readonly tools: readonly ToolName[];
    readonly clock: Clock;
    readonly flushed: () => Promise<void>;
  },
): Promise<void> {
  const calls = new ToolCalls(deps);
  const offered = deps.tools.map((name) => TOOLS[name]);
  const server = new Server(
    { name: 'operator', title: 'handraise', version: VERSION },
    { capabilities: { tools: {} }, jsonSchemaValidator: neverElicits },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered.map(({ tool }) => tool) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, request) => {
    const found = offered.find(({ tool }) => tool.name === params.name);
    if (found === undefined) {
      const names = offered.map(({ tool }) => `"${tool.name}"`).join(' and ');
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}" here, only ${names}`);
    }
    return found.call(params.arguments ?? {}, request, calls);
  });
  server.onerror = (error) => complainAboutLine(transport, error);
  confirmResponses(transport, deps.flushed, (requestId) => calls.responseSent(requestId));
  await server.connect(transport);
}

/** The SDK validates answers to elicitations, which this server never makes; so its validator stays out of the bundle. */
const neverElicits = {
  getValidator(): never {
    throw new Error('this server does not elicit');
  },
};

/** Calls `sent` once the response to a request has left the process. The SDK itself only knows that it was written. */
function confirmResponses(
  transport: Transport,
  flushed: () => Promise<void>,
  sent: (requestId: string | number) => void,
): void {
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if ('method' in message || message.id === undefined) return;
    await flushed();
    sent(message.id);
  };
}

/** A line that is no message is answered, as JSON-RPC asks (MCP leaves out the id), and reading goes on. */
function complainAboutLine(transport: Transport, error: Error): void {
  const isJson = !(error instanceof SyntaxError);
  if (isJson && !error.name.endsWith('ZodError')) return;
  const code = isJson ? ErrorCode.InvalidRequest : ErrorCode.ParseError;
  const message = isJson ? 'The line is not a JSON-RPC message' : 'The line is not JSON';
  // It fails only when the agent is gone, which ends the process by itself.
  transport.send({ jsonrpc: '2.0', error: { code, message } }).catch(() => undefined);
}
