import type { AgentIntegration } from '../core/ports/agent-integration.ts';
import { SOCKET_VARIABLE, writeMcpConfig } from './mcp-config.ts';

/**
 * Any command. Its arguments are left alone; where people can be asked it finds in its environment
 * `HANDRAISE_MCP_CONFIG`, the path of an MCP configuration file (`{"mcpServers":{"operator":…}}`) to load, and
 * `HANDRAISE_SOCK`, for a bridge it starts itself with `handraise mcp`. Where nobody can be asked it has neither.
 */
export const generic: AgentIntegration = {
  name: 'generic',
  matches: () => true,
  gated: false,
  async prepare([command = '', ...args], attachment) {
    if (attachment === undefined || !attachment.asks) return { command, args, environment: {} };
    const config = await writeMcpConfig(attachment);
    return {
      command,
      args,
      environment: { [SOCKET_VARIABLE]: attachment.socketPath, HANDRAISE_MCP_CONFIG: config },
    };
  },
};
