import { loadConfig } from '../config/load.ts';
import { stateDirectory } from '../config/state-dir.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { agentAbove, hasMark } from '../gateway/control/agent-tree.ts';
import { controlDirectory, liveSockets } from '../gateway/control/place.ts';
import { type ControlClient, dialControl } from './control-client.ts';

/** Flags that `pending` and `resolve` have in common. */
export interface ControlFlags {
  readonly config?: string;
  readonly socket?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
}

/** Why this very process is taken for one of an agent's; undefined when nothing says so. */
export function insideAgent(): string | undefined {
  if (hasMark(process.env)) return 'the environment is that of an agent';
  return agentAbove(process.pid);
}

/**
 * Calls `use` with every gateway that answers: the one that was named, else the configured one and those of this user.
 * It says when it has enough. Throws `unavailable` when none answers.
 */
export async function withGateways(
  { socket, config: file }: ControlFlags,
  inside: string | undefined,
  use: (client: ControlClient) => Promise<'enough' | 'more'>,
): Promise<void> {
  const paths = socket === undefined ? await knownSockets(file) : [socket];
  let last: unknown;
  let answered = false;
  for (const path of paths) {
    let client: ControlClient;
    try {
      client = await dialControl(path, inside);
    } catch (error) {
      last = error;
      continue;
    }
    answered = true;
    try {
      if ((await use(client)) === 'enough') return;
    } finally {
      client.close();
    }
  }
  if (answered) return;
  if (last !== undefined) throw last;
  throw new HandraiseError('Nothing of handraise runs here that could be asked.', {
    code: 'unavailable',
    hint: 'Start `handraise gateway` or `handraise run`, or name its control socket with --socket.',
  });
}

async function knownSockets(file: string | undefined): Promise<string[]> {
  const config = await loadConfig({ flags: { config: file }, env: process.env });
  const configured = config.gateway?.controlSocket;
  const own = await ownSockets();
  return [...new Set([...(configured === undefined ? [] : [configured]), ...own])];
}

async function ownSockets(): Promise<string[]> {
  try {
    return await liveSockets(controlDirectory(stateDirectory(process.env)));
  } catch (cause) {
    throw new HandraiseError(`The control sockets of this user cannot be looked for: ${sentenceOf(cause)}`, {
      code: 'unavailable',
      cause,
    });
  }
}
