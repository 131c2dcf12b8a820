import { basename } from 'node:path';
import { HandraiseError } from '../core/errors.ts';
import type { AgentIntegration, Attachment, Gating } from '../core/ports/agent-integration.ts';
import { withAppendedPrompt } from './claude-prompt.ts';
import { refuseUnusable } from './claude-refusals.ts';
import { withGatedSettings } from './claude-settings.ts';
import { APPROVE_TOOL, ASK_CLAUSE, ASK_TOOL, BUILT_IN_QUESTION_TOOL, PROCEED_CLAUSE } from './clauses.ts';
import { namesIn, valuesOf } from './flags.ts';
import { SOCKET_VARIABLE, writeMcpConfig } from './mcp-config.ts';

/** Both spellings of Claude Code's list flags; repeated ones add up. */
const CLAUDE_FLAGS = {
  allowed: ['--allowedTools', '--allowed-tools'],
  disallowed: ['--disallowedTools', '--disallowed-tools'],
  mcpConfig: ['--mcp-config'],
} as const;

/**
 * Server keys of Claude Code's own. `alwaysLoad`: it waits for the server (5 s instead of 2) before the first model
 * request, which otherwise lacks the tool. `timeout`, in ms, wins over the user's MCP_TOOL_TIMEOUT, which would cut
 * questions short: 72 h, three times the longest wait, as long as a queued question may take.
 */
const SERVER_KEYS = { alwaysLoad: true, timeout: 259_200_000 };

/** Programs that start another one: flags put after their name would be theirs. */
const LAUNCHERS = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'env', 'sudo', 'nice', 'nohup', 'timeout']);

/**
 * Claude Code. Our flags go first and as `--flag=value`, which never swallows a prompt that follows, and adds to the
 * user's own list flags (measured with 2.1.197); the user's arguments stay as they are, but for an appended system
 * prompt, of which Claude Code keeps only one.
 */
export const claudeCode: AgentIntegration = {
  name: 'claude-code',
  matches: (program) => /^claude(?:\.exe)?$/.test(basename(program)),
  gated: true,
  async prepare([command = '', ...given], attachment) {
    if (LAUNCHERS.has(basename(command))) {
      throw new HandraiseError(`"${command}" is not Claude Code itself, so its flags would go astray`, {
        code: 'usage',
        hint: 'Start it directly: handraise run -- claude …',
      });
    }
    if (attachment !== undefined) await refuseUnusable(given, attachment);
    const attached = attachment === undefined ? [] : await attachedFlags(attachment, given);
    const settled = attachment?.gate === undefined ? given : await gatedArguments(given, attachment.gate, attachment);
    const args = await withAppendedPrompt(settled, attachment?.asks === true ? ASK_CLAUSE : PROCEED_CLAUSE);
    return {
      command,
      args: [...attached, ...unlessListed(given, CLAUDE_FLAGS.disallowed, BUILT_IN_QUESTION_TOOL), ...args],
      environment: attachment === undefined ? {} : attachedEnvironment(attachment, process.env),
    };
  },
};

async function attachedFlags({ bridge, ...attachment }: Attachment, given: readonly string[]): Promise<string[]> {
  const { asks, gate } = attachment;
  const tools = gate === undefined ? [] : ['--tools', asks ? 'ask,approve' : 'approve'];
  const serving = { command: bridge.command, args: [...bridge.args, ...tools] };
  const config = await writeMcpConfig({ ...attachment, bridge: serving }, SERVER_KEYS);
  return [`--mcp-config=${config}`, ...(asks ? unlessListed(given, CLAUDE_FLAGS.allowed, ASK_TOOL) : [])];
}

/**
 * Claude Code ends with 1 where its permission prompt is not there at the first step, and goes without the question tool;
 * it waits 5 s for a server that is always loaded, or as long as this variable says (measured with 2.1.197). A busy
 * machine takes that long to start one.
 */
const CONNECT_TIMEOUT = { variable: 'MCP_CONNECT_TIMEOUT_MS', ms: 30_000 } as const;

function attachedEnvironment({ socketPath }: Attachment, env: NodeJS.ProcessEnv): Record<string, string> {
  const { variable, ms } = CONNECT_TIMEOUT;
  const users = Number(env[variable] ?? 0) || 0;
  return { [SOCKET_VARIABLE]: socketPath, [variable]: String(Math.max(users, ms)) };
}

/** Every step comes before our permission prompt, and our hooks tell where it runs and who wants it. */
async function gatedArguments(given: readonly string[], gate: Gating, attachment: Attachment): Promise<string[]> {
  return [`--permission-prompt-tool=${APPROVE_TOOL}`, ...(await withGatedSettings(given, { ...gate, ...attachment }))];
}

/** `--flag=tool`, or nothing when the user's own flag lists the tool already. */
function unlessListed(given: readonly string[], flags: readonly string[], tool: string): string[] {
  const listed = valuesOf(given, flags).flatMap((value) => namesIn(value));
  return listed.includes(tool) ? [] : [`${flags[0]}=${tool}`];
}
