import type { Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import type { Logger } from '../../core/ports/logger.ts';
import {
  type ClientBoundFrame,
  CONTROL_VERSION,
  MAX_REQUEST_BYTES,
  type Resolution,
  type ResolveFrame,
  type Revocation,
  type ServerBoundFrame,
  serverBoundFrame,
} from '../../core/wire/control.ts';
import { type Found, LineReader } from '../../listener/framing.ts';
import { revokeSentence } from '../../prompt/grant-words.ts';
import type { GrantDesk } from './grant-desk.ts';
import type { listPending } from './listing.ts';
import { identify, newPeerName, type Peer } from './peer.ts';

/** A client that neither asks nor takes what it asked for within this time is hung up on. */
const IDLE_MS = 15_000;

/** Lines that may wait in line on one connection. */
const MOST_WAITING = 16;

export interface ControlDeps {
  readonly list: () => ReturnType<typeof listPending>;
  readonly isKnown: (requestId: string) => Promise<boolean>;
  readonly resolve: (frame: ResolveFrame, peer: Peer) => Promise<Resolution>;
  /** Absent: there are no grants. */
  readonly grants?: GrantDesk;
  readonly clock: Clock;
  readonly log: Logger;
}

type Reply = ClientBoundFrame extends infer Frame ? (Frame extends unknown ? Omit<Frame, 'v'> : never) : never;

/**
 * Serves one client of the control socket, a line at a time, until it leaves or stops talking. Owns the socket. Returns
 * what ends it once the client has the answers to what it asked so far.
 */
export function serveControl(socket: Socket, deps: ControlDeps): () => Promise<void> {
  const { clock, log } = deps;
  const peerName = newPeerName();
  let peer: Peer | undefined;
  let waiting = 0;
  let tail: Promise<void> = Promise.resolve();
  let cancelIdle: () => void = () => undefined;

  const watch = () => {
    cancelIdle();
    cancelIdle = clock.after(IDLE_MS, () => socket.destroy());
  };
  const write = (reply: Reply): Promise<void> => {
    if (!socket.writable) return Promise.resolve();
    watch();
    return new Promise((resolve) => {
      socket.write(`${JSON.stringify({ v: CONTROL_VERSION, ...reply })}\n`, () => resolve());
    });
  };

  const serve = async (line: Found): Promise<void> => {
    const frame = readFrame(line);
    if (frame.kind === 'error') return write(frame);
    const { id } = frame;
    try {
      if (frame.kind === 'identify') {
        const found = identify(frame.pid, peerName);
        peer = { ...found, inside: found.inside ?? frame.inside };
        return await write({ kind: 'identified', id });
      }
      if (peer === undefined) {
        return await write({ kind: 'error', id, code: 'refused', text: 'Say first which process you are.' });
      }
      // While it is worked on, the client has nothing to do.
      cancelIdle();
      await write(await answer(frame, peer, deps));
    } catch (error) {
      const isRefusal = error instanceof HandraiseError && error.code === 'refused';
      if (!isRefusal) log.error({ kind: frame.kind, error: sentenceOf(error) }, 'a control command failed');
      const text = isRefusal ? sentenceOf(error) : 'handraise cannot answer right now. Try again.';
      await write({ kind: 'error', id, code: isRefusal ? 'refused' : 'unavailable', text });
    }
  };

  const reader = new LineReader(MAX_REQUEST_BYTES, (found) => {
    waiting += 1;
    if (waiting > MOST_WAITING) {
      socket.destroy();
      return;
    }
    tail = tail
      .then(() => serve(found))
      .finally(() => {
        waiting -= 1;
      });
  });
  socket.on('data', (chunk: Buffer) => {
    watch();
    reader.read(chunk);
    // What it does not read of our answers it must not have us hold.
    if (socket.writableNeedDrain) socket.pause().once('drain', () => socket.resume());
  });
  socket.on('error', (error) => log.debug({ error: error.message }, 'control socket error'));
  socket.on('close', () => cancelIdle());
  void write({ kind: 'hello', name: peerName });
  return async () => {
    socket.pause();
    await tail;
    socket.end();
  };
}

const NO_GRANTS: Revocation = { code: 'not_found', sentence: revokeSentence('not_found') };

async function answer(
  frame: Exclude<ServerBoundFrame, { kind: 'identify' }>,
  peer: Peer,
  { list, isKnown, resolve, grants }: ControlDeps,
): Promise<Reply> {
  const { id } = frame;
  if (frame.kind === 'resolve') return { kind: 'resolution', id, resolution: await resolve(frame, peer) };
  if (frame.kind === 'revoke') {
    const revocation: Revocation = (await grants?.revoke(frame, peer)) ?? NO_GRANTS;
    return { kind: 'revocation', id, revocation };
  }
  if (frame.kind === 'find') return { kind: 'found', id, known: await isKnown(frame.requestId) };
  if (peer.inside !== undefined) {
    return { kind: 'error', id, code: 'refused', text: 'This runs beneath an agent.' };
  }
  if (frame.kind === 'grants') return { kind: 'grants', id, grants: [...((await grants?.list()) ?? [])] };
  const { requests, total } = await list();
  return { kind: 'requests', id, requests: [...requests], total };
}

function readFrame(found: Found): ServerBoundFrame | Extract<Reply, { kind: 'error' }> {
  if ('fault' in found) {
    return found.fault === 'too_long'
      ? { kind: 'error', code: 'line_too_long', text: `The line is longer than ${MAX_REQUEST_BYTES} bytes.` }
      : { kind: 'error', code: 'invalid_frame', text: 'The line is not UTF-8 text.' };
  }
  let value: unknown;
  try {
    value = JSON.parse(found.line);
  } catch {
    // The client is told; the parser's own message would only repeat its bytes.
    return { kind: 'error', code: 'invalid_frame', text: 'The line is not JSON.' };
  }
  const parsed = serverBoundFrame.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  return {
    kind: 'error',
    ...idOf(value),
    code: 'invalid_frame',
    text: `The frame cannot be read (${where}${issue?.message}).`,
  };
}

function idOf(value: unknown): { id?: string } {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' && id !== '' && id.length <= 64 ? { id } : {};
}
