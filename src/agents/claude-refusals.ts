import { readFile } from 'node:fs/promises';
import { HandraiseError } from '../core/errors.ts';
import { ASK_TOOL, SERVER_NAME } from './clauses.ts';
import { isSet, namesIn, valuesOf } from './flags.ts';

/**
 * Refuses (`usage`) flags under which Claude Code would start and silently lack the ask tool: whoever bound a channel
 * wants to be asked. Without a channel none of them matters. A server of our name in the project's or the user's own
 * configuration does no harm: `--mcp-config` wins over it (measured with 2.1.197).
 */
export async function refuseUnusable(given: readonly string[]): Promise<void> {
  if (isSet(given, '--safe-mode')) {
    throw refusal('--safe-mode switches MCP servers off, so nobody could be asked', 'Leave --safe-mode out.');
  }
  const denied = valuesOf(given, ['--disallowedTools', '--disallowed-tools'])
    .flatMap(namesIn)
    .find((name) => [ASK_TOOL, `mcp__${SERVER_NAME}`, `mcp__${SERVER_NAME}__*`, 'mcp__*'].includes(name));
  if (denied !== undefined) {
    throw refusal(
      `--disallowedTools ${denied} denies the tool that asks the operator`,
      'Leave it out, or bind no channel to this run.',
    );
  }
  for (const config of valuesOf(given, ['--mcp-config'])) {
    if (await definesOurServer(config)) {
      throw refusal(
        `an MCP server called "${SERVER_NAME}" in your --mcp-config would replace handraise's`,
        'Give yours another name.',
      );
    }
  }
}

/** A file or inline JSON. What cannot be read or parsed is left to Claude Code, which says so itself. */
async function definesOurServer(config: string): Promise<boolean> {
  try {
    const text = config.trimStart().startsWith('{') ? config : await readFile(config, 'utf8');
    const { mcpServers } = JSON.parse(text) as { mcpServers?: unknown };
    return typeof mcpServers === 'object' && mcpServers !== null && Object.hasOwn(mcpServers, SERVER_NAME);
  } catch (thrown) {
    if (thrown instanceof Error) return false;
    throw thrown;
  }
}

function refusal(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'usage', hint });
}
