import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketOptions } from '../types.ts';
import type { World } from '../world.ts';
import { type Connection, write, writeDispatch } from './connection.ts';
import { receive } from './receive.ts';
import type { Session } from './session.ts';

/** A dispatch for many sessions. */
export interface Broadcast {
  readonly event: string;
  /** The intent a session needs; 0: none. */
  readonly intent: number;
  /** What this session is told. */
  readonly data: (session: Session) => unknown;
}

/** The gateway: lets connections in, keeps sessions, numbers and writes dispatches. */
export interface Hub {
  readonly connections: ReadonlySet<Connection>;
  readonly sessions: Map<string, Session>;
  readonly tcp: ReadonlySet<Duplex>;
  readonly options: SocketOptions;
  readonly counts: { identifies: number; resumes: number };
  /** When IDENTIFYs were accepted, on the double's clock. */
  readonly identified: number[];
  identifiedToday(now: number): number;
  /** Privileged intents that are switched on. */
  readonly privileged: number;
  /** `ws://127.0.0.1:PORT` */
  url(): string;
  /** To one session, connected or not. */
  send(session: Session, event: string, data: unknown): void;
  /** To every session that wants it, connected or not: RESUME brings what was missed. */
  broadcast(what: Broadcast): void;
  /** Parts a session from its connection, which may IDENTIFY or RESUME again. `keep`: it can be resumed a while. */
  detach(connection: Connection, keep: boolean): void;
  listen(): Promise<void>;
  /** Cuts every connection and stops listening. */
  down(): Promise<void>;
  close(): Promise<void>;
}

/** How long the double waits for close frames when it is closed. */
const GOODBYE_MS = 200;

/** Going away, a wrong sequence number and a timed-out session: whoever comes back has to IDENTIFY. */
const ENDING = [1000, 1001, 4007, 4009];

const DAY_MS = 86_400_000;

export const SOCKET_DEFAULTS: SocketOptions = {
  heartbeatMs: 41_250,
  identifies: 1000,
  identifiesUsed: 0,
  maxConcurrency: 16,
  resumeWindowS: 180,
  guildDelayMs: 0,
};

export function createHub(world: () => World, options: SocketOptions, privileged: number): Hub {
  const wss = new WebSocketServer({ noServer: true });
  const connections = new Set<Connection>();
  const sessions = new Map<string, Session>();
  const tcp = new Set<Duplex>();
  const timers = new Set<NodeJS.Timeout>();
  let server: Server | undefined;
  let port = 0;
  let opened = 0;

  const connectionOf = (session: Session) => [...connections].find((one) => one.session === session);

  const hub: Hub = {
    connections,
    sessions,
    tcp,
    options,
    counts: { identifies: 0, resumes: 0 },
    identified: [],
    identifiedToday: (now) => hub.identified.filter((at) => at > now - DAY_MS).length,
    privileged,
    url: () => `ws://127.0.0.1:${port}`,
    send(session, event, data) {
      const { sequence, frame, interactionId } = session.number(event, data);
      const connection = connectionOf(session);
      if (!connection?.ready && event !== 'READY') return;
      if (!connection || !writeDispatch(world().faults, connection, event, frame)) return;
      if (interactionId !== undefined) world().interactions.delivered(interactionId);
      world().events.emit('frame', { event, sequence, connection: connection.id });
    },
    broadcast({ event, intent, data }) {
      for (const session of sessions.values()) {
        if (intent === 0 || (session.intents & intent) !== 0) hub.send(session, event, data(session));
      }
    },
    detach(connection, keep) {
      const { session } = connection;
      if (!session) return;
      connection.session = undefined;
      connection.ready = false;
      if (keep) expire(session);
      else sessions.delete(session.id);
    },
    async listen() {
      const listening = createServer((_, response) => response.writeHead(404).end());
      listening.on('upgrade', upgrade);
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(port, '127.0.0.1', () => resolve());
      });
      server = listening;
      port = (listening.address() as AddressInfo).port;
    },
    async down() {
      const stopping = server;
      server = undefined;
      if (!stopping) return;
      const stopped = new Promise<void>((resolve) => stopping.close(() => resolve()));
      for (const socket of tcp) socket.destroy();
      stopping.closeAllConnections();
      await stopped;
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const { ws, silent } of connections) if (!silent) ws.close(1001);
      const gone = [...tcp].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
      await Promise.race([Promise.all(gone), sleep(GOODBYE_MS, undefined, { ref: false })]);
      await hub.down();
      wss.close();
    },
  };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { faults, events } = world();
    // A cut connection is told by the close event.
    socket.on('error', () => undefined);
    const refused = faults.take('refuse');
    if (refused) {
      events.emit('socket', { connection: '', state: 'refused', open: connections.size });
      socket.end(`HTTP/1.1 ${refused.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    tcp.add(socket);
    socket.on('close', () => tcp.delete(socket));
    wss.handleUpgrade(request, socket, head, (ws) => accept(ws, socket, request.url ?? '/'));
  }

  function accept(ws: WebSocket, socket: Duplex, url: string): void {
    const { faults, events, clock } = world();
    opened += 1;
    const connection: Connection = {
      id: `conn-${opened}`,
      openedAt: clock.now(),
      ws,
      socket,
      session: undefined,
      ready: false,
      silent: false,
      acking: faults.take('no_acks') === undefined,
      received: [],
      heartbeatAt: performance.now(),
    };
    connections.add(connection);
    events.emit('socket', { connection: connection.id, state: 'open', open: connections.size });
    ws.on('message', (data) => {
      if (!connection.silent && ws.readyState === ws.OPEN) receive(world(), hub, connection, String(data));
    });
    // The close event follows; there is nothing more to learn from it.
    ws.on('error', () => undefined);
    // Without heartbeats Discord hangs up; one and a half intervals is a guess.
    const watch = setInterval(() => {
      if (performance.now() - connection.heartbeatAt > options.heartbeatMs * 1.5) ws.close(4009);
    }, options.heartbeatMs);
    watch.unref();
    timers.add(watch);
    ws.on('close', (code) => {
      clearInterval(watch);
      timers.delete(watch);
      connections.delete(connection);
      const { session } = connection;
      if (session) retire(session, code);
      events.emit('socket', { connection: connection.id, state: 'closed', open: connections.size });
    });
    // ws answers a close frame through this very method: without it the peer waits for ever.
    if (faults.take('never_close')) ws.close = () => undefined;
    const query = new URL(url, 'http://localhost').searchParams;
    if (query.get('v') !== '10' || query.get('encoding') !== 'json') {
      ws.close(4012);
      return;
    }
    if (!faults.take('no_hello')) {
      write(connection, JSON.stringify({ op: 10, s: null, t: null, d: { heartbeat_interval: options.heartbeatMs } }));
    }
  }

  /** Some codes end the session; any other end leaves it for RESUME a while. */
  function retire(session: Session, code: number): void {
    if (ENDING.includes(code)) sessions.delete(session.id);
    else expire(session);
  }

  function expire(session: Session): void {
    world().clock.after(options.resumeWindowS * 1000, () => {
      if (!connectionOf(session)) sessions.delete(session.id);
    });
  }

  return hub;
}
