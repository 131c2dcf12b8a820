/** What the bridge can serve. Models are offered `ask`; `approve` is called by the agent's own permission prompt. */
const TOOL_NAMES = ['ask', 'approve'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What the bridge was told at its start, or the sentence why it cannot start (exit code 64). */
export type BridgeStart =
  | { readonly socketPath: string | undefined; readonly tools: readonly ToolName[] }
  | { readonly usage: string };

/**
 * Reads the bridge's flags. The socket comes from `--socket`, else HANDRAISE_SOCK, else KITSOKI_OPERATOR_ASK_SOCK;
 * `--tools ask,approve` says what to serve, default `ask`.
 */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): BridgeStart {
  const given: { socket?: string; tools?: string } = {};
  const rest = [...args];
  while (rest.length > 0) {
    const [arg = '', inline] = split(rest.shift() ?? '');
    if (arg !== '--socket' && arg !== '--tools')
      return { usage: `handraise mcp: unknown argument "${arg}"; it takes only --socket PATH and --tools LIST` };
    const value = inline ?? rest.shift() ?? '';
    if (value === '') return { usage: `handraise mcp: ${arg} needs a ${arg === '--socket' ? 'path' : 'list'}` };
    given[arg === '--socket' ? 'socket' : 'tools'] = value;
  }
  const names = (given.tools ?? 'ask').split(',');
  const tools = TOOL_NAMES.filter((name) => names.includes(name));
  if (tools.length < names.length)
    return { usage: `handraise mcp: --tools takes ${TOOL_NAMES.join(', ')} or both with a comma between` };
  const socketPath =
    given.socket || environment['HANDRAISE_SOCK'] || environment['KITSOKI_OPERATOR_ASK_SOCK'] || undefined;
  return socketPath === undefined && isTerminal ? { usage: STARTED_BY_HAND } : { socketPath, tools };
}

function split(arg: string): [string, string?] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}

const STARTED_BY_HAND = [
  'handraise mcp is started by an agent, which talks MCP to it; by hand there is nothing to see.',
  'Start an agent with it: handraise run -- claude -p "…"',
].join('\n');
