import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Feed } from '../../doubles/model/index.ts';
import type { Workplace } from './workplace.ts';

export interface OperatorMessage {
  kind: 'message';
  /** Which start of the server received it, from 1: a new one for each process. */
  connection: number;
  id: number | undefined;
  method: string;
  params: { name?: string; arguments?: Record<string, unknown>; _meta?: Record<string, unknown>; reason?: string };
}

export type OperatorEvent =
  | OperatorMessage
  | { kind: 'signal'; name: string; connection: number }
  | { kind: 'end'; why: string; connection: number };

export interface OperatorOptions {
  /** `annotations.readOnlyHint` of the tools. Default true. */
  readOnlyHint?: boolean;
  /** Called on `initialize`, which is answered when the promise resolves. Default at once. */
  ready?: () => Promise<unknown>;
  /** Added to the server's entry in the MCP configuration. */
  entry?: { alwaysLoad?: boolean };
}

/**
 * The MCP server "operator" with tools `ask` and `approve`, as a child of the agent that the test steers: handshake and
 * list are answered here, tool calls by the test.
 */
export class Operator implements AsyncDisposable {
  readonly events = new Feed<OperatorEvent>('operator events');
  /** Flags with which Claude Code uses this server and no other. */
  readonly flags: string[];
  readonly #sockets: Socket[] = [];
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #options: OperatorOptions;

  private constructor(configFile: string, options: OperatorOptions) {
    this.flags = ['--mcp-config', configFile, '--strict-mcp-config'];
    this.#options = options;
  }

  static async start(workplace: Workplace, options: OperatorOptions = {}): Promise<Operator> {
    const configFile = join(workplace.files, 'mcp.json');
    const operator = new Operator(configFile, options);
    operator.#server.listen(0, '127.0.0.1');
    await once(operator.#server, 'listening');
    const { port } = operator.#server.address() as AddressInfo;
    const entry = { type: 'stdio', command: process.execPath, args: [SERVER_FILE, String(port)], ...options.entry };
    await writeFile(configFile, JSON.stringify({ mcpServers: { operator: entry } }));
    return operator;
  }

  /** The `tools/call` whose question is `question`, once it arrives. */
  asked(question: string): Promise<OperatorMessage> {
    return this.events.until(
      (event): event is OperatorMessage =>
        event.kind === 'message' && event.params.arguments?.['question'] === question,
    );
  }

  /** Every question that has arrived so far. */
  get questions(): unknown[] {
    return this.events.items.flatMap((event) =>
      event.kind === 'message' && event.method === 'tools/call' ? [event.params.arguments?.['question']] : [],
    );
  }

  answer(asked: OperatorMessage, text: string): void {
    this.#reply(asked, { content: [{ type: 'text', text }] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #serve(socket: Socket): void {
    const connection = this.#sockets.push(socket);
    // The process may be killed by the test at any moment; that is an `end` without words.
    socket.on('error', (error) => this.events.push({ kind: 'end', why: error.message, connection }));
    createInterface({ input: socket }).on('line', (line) => {
      const { message, ...event } = JSON.parse(line);
      const seen: OperatorEvent = { params: {}, ...message, ...event, connection };
      this.events.push(seen);
      if (seen.kind === 'message') void this.#greet(seen);
    });
  }

  async #greet(seen: OperatorMessage): Promise<void> {
    if (seen.method === 'initialize') {
      await this.#options.ready?.();
      this.#reply(seen, {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'operator', version: '0' },
      });
    } else if (seen.method === 'tools/list') {
      this.#reply(seen, { tools: ['ask', 'approve'].map((name) => tool(name, this.#options.readOnlyHint ?? true)) });
    }
  }

  #reply({ connection, id }: OperatorMessage, result: object): void {
    this.#sockets[connection - 1]?.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
}

const SERVER_FILE = fileURLToPath(new URL('../../fixtures/agents/operator-server.mjs', import.meta.url));

function tool(name: string, readOnlyHint: boolean) {
  const inputSchema = { type: 'object', properties: { question: { type: 'string' } } };
  return { name, description: `${name} a person`, inputSchema, annotations: { readOnlyHint } };
}
