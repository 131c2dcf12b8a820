import { readFile } from 'node:fs/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as z from 'zod';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';

/** The operator tool as an agent meets it: an MCP server named in a configuration file. */
export interface OperatorTool {
  /** The tool's reply, as a model would read it. `onWait` is called at every sign of life while nobody has answered. */
  ask(batch: QuestionBatch, onWait: () => void): Promise<{ text: string; isError: boolean }>;
  close(): Promise<void>;
}

const configuration = z.object({
  mcpServers: z.object({
    operator: z.object({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()).optional(),
    }),
  }),
});

/** An hour; the bridge's progress keeps the call alive, and handraise's own deadline is sooner. */
const LONGEST_WAIT_MS = 3_600_000;

/** Starts the server that `file` names, as any MCP client does. Whoever connects it closes it. */
export async function connectOperator(file: string): Promise<OperatorTool> {
  const { operator } = configuration.parse(JSON.parse(await readFile(file, 'utf8'))).mcpServers;
  const transport = new StdioClientTransport({
    command: operator.command,
    args: operator.args,
    ...(operator.env === undefined ? {} : { env: operator.env }),
    stderr: 'inherit',
  });
  const client = new Client({ name: 'demonstration-agent', version: '1.0.0' });
  await client.connect(transport);
  return {
    async ask(batch, onWait) {
      const result = await client.callTool({ name: 'ask', arguments: { ...batch } }, undefined, {
        onprogress: onWait,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: LONGEST_WAIT_MS,
      });
      const content = z.array(z.object({ type: z.string(), text: z.string().optional() })).parse(result.content);
      return { text: content.map(({ text }) => text ?? '').join('\n'), isError: result.isError === true };
    },
    close: () => client.close(),
  };
}
