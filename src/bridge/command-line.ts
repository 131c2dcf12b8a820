/** What the bridge was told at its start, or the sentence why it cannot start (exit code 64). */
export type BridgeStart = { readonly socketPath: string | undefined } | { readonly usage: string };

/** Reads the bridge's flags; the socket comes from `--socket`, else HANDRAISE_SOCK, else KITSOKI_OPERATOR_ASK_SOCK. */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): BridgeStart {
  let flag: string | undefined;
  const rest = [...args];
  while (rest.length > 0) {
    const arg = rest.shift() ?? '';
    if (arg === '--socket') flag = rest.shift() ?? '';
    else if (arg.startsWith('--socket=')) flag = arg.slice('--socket='.length);
    else return { usage: `handraise mcp: unknown argument "${arg}"; it takes only --socket PATH` };
    if (flag === '') return { usage: 'handraise mcp: --socket needs a path' };
  }
  const socketPath = flag || environment['HANDRAISE_SOCK'] || environment['KITSOKI_OPERATOR_ASK_SOCK'] || undefined;
  return socketPath === undefined && isTerminal ? { usage: STARTED_BY_HAND } : { socketPath };
}

const STARTED_BY_HAND = [
  'handraise mcp is started by an agent, which talks MCP to it; by hand there is nothing to see.',
  'Start an agent with it: handraise run -- claude -p "…"',
].join('\n');
