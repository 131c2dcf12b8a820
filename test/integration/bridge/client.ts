import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { bridgeCommand } from '../../../src/bridge/command.ts';

export interface BridgeClient extends AsyncDisposable {
  readonly client: Client;
  readonly pid: number;
  ask(
    questions: unknown,
    options?: Parameters<Client['callTool']>[2] & { meta?: Record<string, unknown> },
  ): Promise<ToolText>;
}

export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
}

/** The built bridge behind the client that agents ship. Without a socket path it is a bridge nobody attached. */
export async function startBridge(socketPath?: string, flags: readonly string[] = []): Promise<BridgeClient> {
  const { command, args } = bridgeCommand();
  const transport = new StdioClientTransport({
    command,
    args: [...args, ...flags],
    env: socketPath === undefined ? {} : { HANDRAISE_SOCK: socketPath },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  return {
    client,
    pid: transport.pid ?? 0,
    async ask(questions, { meta, ...options } = {}) {
      const result = await client.callTool(
        { name: 'ask', arguments: { questions }, ...(meta === undefined ? {} : { _meta: meta }) },
        undefined,
        options,
      );
      const [content] = result.content as { text: string }[];
      return { text: content?.text ?? '', isError: result.isError === true };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}

/** Whether the process still runs; one that waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    // No such process.
    return false;
  }
}
