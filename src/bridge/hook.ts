import './console.ts';
import { systemClock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { frameOf } from './hook-facts.ts';
import { OwnerConnection } from './owner-connection.ts';

// `handraise hook`: what Claude Code calls before each of its steps and at the ends of turns. It tells facts and decides
// nothing: its output is empty, and every failure is an exit code that blocks nothing (1), since steps are judged by the
// permission prompt, which knows less then. Bundled by build.mjs, since every step pays for its start.

/** How long the owner may take to note it, in ms. */
const NOTED_MS = 10_000;

void tell(process.argv.slice(2)).catch((thrown: unknown) => {
  process.stderr.write(`handraise hook: ${sentenceOf(thrown).split('\n', 1)[0]}\n`);
  process.exitCode = 1;
});

async function tell(args: readonly string[]): Promise<void> {
  const socketPath = socketIn(args) ?? (process.env['HANDRAISE_SOCK'] || undefined);
  if (process.stdin.isTTY === true) throw new Error('it is called by an agent, which tells it about a step');
  const frame = frameOf(await standardInput());
  if (frame === undefined) return;
  if (socketPath === undefined) throw new Error('this agent was not started by handraise');
  const connection = await OwnerConnection.dial(socketPath, systemClock);
  const late = new AbortController();
  const stop = systemClock.after(NOTED_MS, () => late.abort());
  try {
    const reply = await connection.request(frame.id, JSON.stringify(frame), late.signal);
    if ('cause' in reply) throw new Error(reply.cause);
    if (reply.isError) throw new Error(reply.text);
  } finally {
    stop();
    connection.close();
  }
}

function socketIn(args: readonly string[]): string | undefined {
  if (args.length === 0) return undefined;
  const [flag, path] = args;
  if (flag !== '--socket' || path === undefined || path === '' || args.length > 2)
    throw new Error('it takes only --socket PATH');
  return path;
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
