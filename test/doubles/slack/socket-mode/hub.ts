import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketFault, SocketOptions } from '../types.ts';
import type { World } from '../world.ts';
import type { Connection } from './connection.ts';

/** The connections of one app: lets them in, greets them, pings them, tells who is there. */
export interface Hub {
  readonly connections: ReadonlySet<Connection>;
  /** TCP sockets that were upgraded and still exist. */
  readonly tcp: ReadonlySet<Duplex>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  onFrame(listener: (connection: Connection, text: string) => void): void;
  onClose(listener: (connection: Connection) => void): void;
  /** Says goodbye to whoever is connected, and cuts those that do not answer soon. */
  close(): Promise<void>;
}

/** How long the double waits for close frames when it is closed. */
const GOODBYE_MS = 200;

export const SOCKET_DEFAULTS: SocketOptions = {
  pingEveryMs: 5000,
  maxConnections: 10,
  conflictWithinMs: 0,
  connectionTimeS: 18_060,
  refresh: true,
};

export function createHub(world: World, options: SocketOptions): Hub {
  const server = new WebSocketServer({ noServer: true, autoPong: false });
  const connections = new Set<Connection>();
  const tcp = new Set<Duplex>();
  const timers = new Set<NodeJS.Timeout>();
  let frame: (connection: Connection, text: string) => void = () => undefined;
  let closed: (connection: Connection) => void = () => undefined;
  let lastUpgrade = Number.NEGATIVE_INFINITY;

  const refusal = (request: IncomingMessage): SocketFault | undefined => {
    const scripted = world.faults.take('refuse');
    if (scripted) return scripted;
    const since = world.clock.now() - lastUpgrade;
    lastUpgrade = world.clock.now();
    const refuse = (status: 401 | 408 | 409): SocketFault => ({ kind: 'refuse', status });
    if (since < options.conflictWithinMs) return refuse(409);
    const ticket = new URL(request.url ?? '', 'http://localhost').searchParams.get('ticket');
    if (!ticket || !world.passes.useTicket(ticket)) {
      world.log.violation('socket', '', 'ticket', 'connected with a ticket that is unknown, used or too old');
      return refuse(401);
    }
    if (connections.size < options.maxConnections) return undefined;
    world.log.violation('socket', '', 'too_many_connections', `more than ${options.maxConnections} connections`);
    return refuse(408);
  };

  const greet = (connection: Connection) => {
    connection.greeted = true;
    connection.ws.send(
      JSON.stringify({
        type: 'hello',
        num_connections: connections.size,
        debug_info: { host: 'applink-double', build_number: 1, approximate_connection_time: options.connectionTimeS },
        connection_info: { app_id: world.workspace.appId },
      }),
    );
  };

  const accept = (ws: WebSocket, socket: Duplex) => {
    const { faults, clock, random, events } = world;
    const id = random.id('conn-', 6);
    const pinging = faults.take('no_pings') === undefined;
    const openedAt = clock.now();
    const connection: Connection = { id, openedAt, ws, socket, greeted: false, silent: false, pinging, leaving: false };
    connections.add(connection);
    events.emit('socket', { connection: id, state: 'open', open: connections.size });

    const deaf = faults.take('no_pongs') !== undefined;
    const slow = faults.take('delay_pongs');
    ws.on('ping', (data) => {
      const pong = () => ws.readyState === ws.OPEN && !connection.silent && ws.pong(data);
      if (slow) setTimeout(pong, slow.ms).unref();
      else if (!deaf) pong();
    });
    ws.on('message', (data) => {
      if (!connection.silent) frame(connection, String(data));
    });
    // The close event follows; there is nothing more to learn from it.
    ws.on('error', () => undefined);
    const pings = setInterval(() => {
      if (connection.pinging && !connection.silent && ws.readyState === ws.OPEN) ws.ping(`Ping from ${id}`);
    }, options.pingEveryMs);
    timers.add(pings);
    const calledOff = options.refresh
      ? clock.after(options.connectionTimeS * 1000, () => ws.send(disconnectFrame('refresh_requested')))
      : () => undefined;
    ws.on('close', () => {
      clearInterval(pings);
      timers.delete(pings);
      calledOff();
      connections.delete(connection);
      events.emit('socket', { connection: id, state: 'closed', open: connections.size });
      closed(connection);
    });
    // ws answers a close frame through this very method: without it the peer waits for ever.
    if (faults.take('never_close')) ws.close = () => undefined;
    if (!faults.take('no_hello')) greet(connection);
  };

  return {
    connections,
    tcp,
    upgrade(request, socket, head) {
      const fault = refusal(request);
      if (fault?.kind === 'refuse') {
        world.events.emit('socket', { connection: '', state: 'refused', open: connections.size });
        socket.end(`HTTP/1.1 ${fault.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      tcp.add(socket);
      socket.on('close', () => tcp.delete(socket));
      server.handleUpgrade(request, socket, head, (ws) => accept(ws, socket));
    },
    onFrame(listener) {
      frame = listener;
    },
    onClose(listener) {
      closed = listener;
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const { ws, silent } of connections) if (!silent) ws.close(1001);
      const gone = Promise.all(
        [...tcp].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
      );
      await Promise.race([gone, sleep(GOODBYE_MS, undefined, { ref: false })]);
      for (const socket of tcp) socket.destroy();
      server.close();
    },
  };
}

export function disconnectFrame(reason: string): string {
  return JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-double' } });
}
