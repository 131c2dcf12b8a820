import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../core/clock.ts';
import { ASK_TOOL } from '../core/questions/tool-text.ts';
import { createAskTool } from './ask-tool.ts';
import { INPUT_SCHEMA, VERSION } from './build-facts.ts';
import type { OwnerClient } from './client.ts';

/**
 * Serves the MCP server `operator` with its one tool on a transport. `initialize` and `tools/list` are answered from
 * constants, before anything is dialled. `flushed` resolves when everything sent so far has left this process.
 */
export async function serveOperator(
  transport: Transport,
  deps: { readonly owner: OwnerClient; readonly clock: Clock; readonly flushed: () => Promise<void> },
): Promise<void> {
  const askTool = createAskTool(deps);
  const server = new Server(
    { name: 'operator', title: 'handraise', version: VERSION },
    { capabilities: { tools: {} }, jsonSchemaValidator: neverElicits },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [ASK] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, request) => {
    if (params.name !== ASK.name) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}" here, only "${ASK.name}"`);
    }
    return askTool.call(params.arguments ?? {}, request);
  });
  server.onerror = (error) => complainAboutLine(transport, error);
  confirmResponses(transport, deps.flushed, askTool.responseSent);
  await server.connect(transport);
}

const ASK: Tool = {
  name: ASK_TOOL.name,
  title: ASK_TOOL.title,
  description: ASK_TOOL.description,
  inputSchema: INPUT_SCHEMA as Tool['inputSchema'],
  // Read-only: Claude Code then runs several asks at once, and Codex needs no approval for it.
  annotations: { title: ASK_TOOL.title, readOnlyHint: true },
};

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
