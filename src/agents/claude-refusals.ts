import { readFile } from 'node:fs/promises';
import { HandraiseError } from '../core/errors.ts';
import type { Attachment } from '../core/ports/agent-integration.ts';
import { APPROVE_TOOL, ASK_TOOL, SERVER_NAME } from './clauses.ts';
import { isSet, namesIn, usesOf, valuesOf } from './flags.ts';

/**
 * Refuses (`usage`) flags under which Claude Code would start and silently lack what the attachment is for: the tool that
 * asks, or the permission prompt by which every step is judged. A server of our name in the project's or the user's own
 * configuration does no harm: `--mcp-config` wins over it (measured with 2.1.197).
 */
export async function refuseUnusable(
  given: readonly string[],
  { asks, gate }: Pick<Attachment, 'asks' | 'gate'>,
  isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true,
): Promise<void> {
  if (gate !== undefined) refuseUngated(given, isTerminal);
  if (isSet(given, '--safe-mode')) {
    throw refusal('--safe-mode switches MCP servers off, so nobody could be asked', 'Leave --safe-mode out.');
  }
  const needed = [...(asks ? [ASK_TOOL] : []), ...(gate === undefined ? [] : [APPROVE_TOOL]), ...WHOLE_SERVER];
  const denied = valuesOf(given, ['--disallowedTools', '--disallowed-tools'])
    .flatMap(namesIn)
    .find((name) => needed.includes(name));
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

const WHOLE_SERVER = [`mcp__${SERVER_NAME}`, `mcp__${SERVER_NAME}__*`, 'mcp__*'];

/** Under these, steps would be decided elsewhere, or run on after the run that judges them. */
function refuseUngated(given: readonly string[], isTerminal: boolean): void {
  if (usesOf(given, ['--permission-prompt-tool'], 'one').length > 0) {
    throw refusal(
      '--permission-prompt-tool would decide about steps in place of handraise',
      `Leave it out, or ${OPEN}.`,
    );
  }
  if (isSet(given, '--bg') || isSet(given, '--background')) {
    throw refusal(
      '--background would go on after this run, when nobody can be asked about a step any more',
      `Leave it out, or ${OPEN}.`,
    );
  }
  if (isTerminal && !given.some((flag) => PRINTS.test(flag))) {
    throw refusal(
      'in a terminal session of Claude Code steps cannot be put to people in chat yet',
      `Give it its task with -p, or ${OPEN}.`,
    );
  }
}

const OPEN = 'set gate.writes: open in the configuration to let Claude Code’s own permission rules decide';

/** `-p` also among other short flags; what answers and ends at once takes no step. */
const PRINTS = /^(--print|-[a-z]*p[a-z]*|--help|-h|--version|-v)$/;

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
