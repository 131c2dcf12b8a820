import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '../core/ports/agent-integration.ts';
import { SERVER_NAME } from './clauses.ts';

/** Variable by which the bridge finds the per-call socket. */
export const SOCKET_VARIABLE = 'HANDRAISE_SOCK';

/**
 * Writes the MCP configuration file with our server and returns its path. `extra` is added to the server's entry: keys
 * that only one agent knows.
 */
export async function writeMcpConfig(
  { bridge, socketPath, directory }: Attachment,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const entry = {
    type: 'stdio',
    command: bridge.command,
    args: bridge.args,
    env: { [SOCKET_VARIABLE]: socketPath },
    ...extra,
  };
  const file = join(directory, 'mcp.json');
  await writeFile(file, `${JSON.stringify({ mcpServers: { [SERVER_NAME]: entry } }, null, 2)}\n`, { mode: 0o600 });
  return file;
}
