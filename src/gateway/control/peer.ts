import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import type { Actor } from '../../core/actor.ts';
import { HandraiseError } from '../../core/errors.ts';
import { agentAbove } from './agent-tree.ts';

/** Who is at the other end of a connection. */
export interface Peer {
  readonly actor: Actor;
  /** Why it is taken for a process of an agent, if it is. */
  readonly inside: string | undefined;
}

/**
 * Node cannot ask the kernel who is at the other end of a unix socket. So a client calls itself by a random name, which
 * only a process itself can do, and says its process id: who bears that name in /proc is who asks. 15 characters are what
 * the kernel keeps of a name, 72 bit of them random. Null where there is no /proc: only the socket's mode says who may ask then.
 */
export function newPeerName(): string | null {
  return existsSync('/proc/self/comm') ? `hr-${randomBytes(9).toString('base64url')}` : null;
}

/** Throws `refused` when it is not the process that bears the name. */
export function identify(pid: number, peerName: string | null): Peer {
  if (peerName === null) return { actor: userOf(process.getuid?.()), inside: undefined };
  if (nameOf(pid) !== peerName) {
    throw new HandraiseError(`Process ${pid} is not the one that asks.`, {
      code: 'refused',
      hint: 'Ask from where the gateway sees the process: in a container, inside it.',
    });
  }
  return { actor: userOf(statSync(`/proc/${pid}`).uid), inside: agentAbove(pid, process.pid) };
}

function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    // No such process that we could see; the caller refuses.
    return undefined;
  }
}

/** The user by name where it is our own, as everybody but root is whom the socket lets in. */
function userOf(uid: number | undefined): Actor {
  const user = uid === 0 ? 'root' : uid === process.getuid?.() ? ownName() : undefined;
  const [userId, host] = [user ?? `uid:${uid}`, hostname()];
  return {
    platform: 'local',
    workspaceId: host,
    userId,
    name: `${userId}@${host} (command line)`,
    standing: 'member',
  };
}

function ownName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as in many containers: the number will do.
    return undefined;
  }
}
