import './console.ts';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { systemClock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { createOwnerClient, type OwnerClient } from './client.ts';
import { type BridgeStart, readCommandLine } from './command-line.ts';
import { serveOperator } from './operator-server.ts';

// The bridge: what runs inside the agent's tree (`handraise mcp`). Bundled by build.mjs into one file, since every agent
// start pays for it. It writes nothing but MCP to stdout and nothing but one line, when it fails, to stderr.

/** How long answers to what came before the end of stdin may take to leave, in ms. */
const LEAVE_MS = 1_000;

const start = readCommandLine(process.argv.slice(2), process.env, process.stdin.isTTY === true);
if ('usage' in start) {
  process.stderr.write(`${start.usage}\n`);
  process.exitCode = 64;
} else {
  void serve(start).catch(fail);
}

function serve({ socketPath, tools }: Extract<BridgeStart, { readonly tools: unknown }>): Promise<void> {
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  const owner = createOwnerClient({ socketPath, clock: systemClock });
  leaveWithTheAgent(owner);
  const transport = new StdioServerTransport();
  // The SDK closes it by itself only when a message outgrows its buffer; there is no way back from that.
  transport.onclose = () => fail(new Error('a message of the agent was too long to read'));
  return serveOperator(transport, { owner, tools, clock: systemClock, flushed: stdoutFlushed });
}

/** Whatever ends the agent ends the bridge; the owner sees its socket close and withdraws what is open. */
function leaveWithTheAgent(owner: OwnerClient): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.stdout.on('error', () => process.exit(0));
  process.stdin.once('end', () => {
    owner.close();
    // Unless something hangs, the process ends by itself once its last answers are out.
    systemClock.after(LEAVE_MS, () => process.exit(0));
  });
}

/** Writes leave in order, so an empty one that is through means that all before it are. */
function stdoutFlushed(): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write('', (error) => (error == null ? resolve() : reject(error)));
  });
}

function fail(thrown: unknown): never {
  process.stderr.write(`handraise mcp: ${sentenceOf(thrown).split('\n', 1)[0]}\n`);
  process.exit(1);
}
