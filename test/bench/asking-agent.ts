import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/**
 * An agent for the benchmark: asks one question after another over the real bridge and prints, for each result, the
 * monotonic clock in nanoseconds (shared by all processes of a machine) at the moment it had it.
 */
const [count = '1'] = process.argv.slice(2);
const configuration = JSON.parse(readFileSync(process.env['HANDRAISE_MCP_CONFIG'] ?? '', 'utf8'));
const server = configuration.mcpServers.operator;
const client = new Client({ name: 'bench-agent', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({ command: server.command, args: server.args, env: { ...process.env, ...server.env } }),
);
for (let n = 0; n < Number(count); n += 1) {
  const result = await client.callTool(
    {
      name: 'ask',
      arguments: {
        questions: [
          {
            question: `Which database (${n})?`,
            header: 'Database',
            multiSelect: false,
            options: [
              { label: 'Postgres', description: 'Relational.' },
              { label: 'Redis', description: 'In memory.' },
            ],
          },
        ],
      },
    },
    undefined,
    { timeout: 60_000 },
  );
  const at = process.hrtime.bigint();
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  process.stdout.write(`${at}\n`);
}
await client.close();
