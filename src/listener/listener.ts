import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { Gate } from '../core/ports/gate.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import type { AskDeps } from './ask.ts';
import { Connection } from './connection.ts';
import { GateDesk } from './gate-desk.ts';
import { CallRegistry } from './registry.ts';
import { makeSocketPlace, removeSocketPlace, removeStalePlaces } from './socket-place.ts';

/** How long `close` lets peers end by themselves, then waits for what is left, in ms of the listener's clock. */
const PEERS_MS = 1_000;
const CLOSE_MS = 1_500;

export interface ListenerOptions {
  readonly prompter: Prompter;
  /** Judges the steps of the agent; absent: every one that is put here is refused. */
  readonly gate?: { readonly gate: Gate; readonly sessionId: string };
  /**
   * Parent of the socket's own directory. Default: `KITSOKI_OPERATOR_ASK_SOCKET_DIR`, else the first temporary
   * directory whose path is short enough for a socket.
   */
  readonly directory?: string;
  readonly clock: Clock;
  /** Names calls of the older wire, which has no ids. */
  readonly newId: NewId;
  readonly log: Logger;
}

/** A running per-call socket. */
export interface Listener {
  readonly socketPath: string;
  /** Ends every ask and every connection, removes socket and directory. Calling it again waits for the same end. */
  close(): Promise<void>;
}

/**
 * Opens the socket an agent's bridge asks through: directory 0700, file 0600 (Node has no peer credentials, so the
 * permissions are the guard). Leftovers of killed runs are removed first. Throws `unavailable` when it cannot bind.
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { prompter, clock, newId, log } = options;
  const base = options.directory ?? (process.env['KITSOKI_OPERATOR_ASK_SOCKET_DIR'] || undefined);
  const stale = await removeStalePlaces(base);
  if (stale.length > 0) log.info({ directories: stale }, 'removed sockets of runs that were killed');
  const place = makeSocketPlace(base);
  const removeOnExit = () => removeSocketPlace(place);
  process.once('exit', removeOnExit);

  const desk = options.gate === undefined ? {} : { gate: new GateDesk(options.gate.gate, options.gate.sessionId) };
  const deps: AskDeps = { prompter, ...desk, registry: new CallRegistry(), clock, newId, log };
  const connections = new Set<Connection>();
  // Half-open, so that a peer which closed only its own side can still read the answer to its last line.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, deps);
    connections.add(connection);
    void connection.done.finally(() => connections.delete(connection));
  });
  try {
    await listenOn(server, place.path);
    chmodSync(place.path, 0o600);
  } catch (error) {
    server.close();
    process.off('exit', removeOnExit);
    removeSocketPlace(place);
    throw new HandraiseError(`The socket that agents ask through cannot be opened: ${sentenceOf(error)}`, {
      code: 'unavailable',
      cause: error,
    });
  }
  // After it listens, an error is one failed accept (too many open files): that peer is told by its own connect.
  server.on('error', (error) => log.error({ error: error.message }, 'accepting a connection failed'));

  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const ended = Promise.all([closed, ...[...connections].map((connection) => connection.done)]);
    for (const connection of connections) connection.end('the run is ending');
    if (!(await endsWithin(PEERS_MS, ended, clock))) {
      for (const connection of connections) connection.close('the run is ending');
    }
    if (!(await endsWithin(CLOSE_MS, ended, clock))) {
      log.warn({ connections: connections.size }, 'asks did not end in time and were left');
    }
    process.off('exit', removeOnExit);
    removeSocketPlace(place);
  };
  let closing: Promise<void> | undefined;
  return {
    socketPath: place.path,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function listenOn(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function endsWithin(ms: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
  let stop = () => {};
  const late = new Promise<boolean>((resolve) => {
    stop = clock.after(ms, () => resolve(false));
  });
  const inTime = await Promise.race([work.then(() => true), late]);
  stop();
  return inTime;
}
