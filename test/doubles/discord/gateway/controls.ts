import type { Sockets } from '../types.ts';
import type { Connection } from './connection.ts';
import { write } from './connection.ts';
import type { Hub } from './hub.ts';
import { invalidSession } from './receive.ts';

/** What a test does to open connections. */
export function createSocketControls(hub: Hub): Sockets {
  const chosen = (id: string | undefined): Connection[] => {
    const found = [...hub.connections].filter((one) => id === undefined || one.id === id);
    if (id !== undefined && found.length === 0) throw new Error(`There is no open connection ${id}`);
    return found;
  };
  return {
    get open() {
      return [...hub.connections].map(({ id, openedAt, ready, session }) => ({
        id,
        openedAt,
        ready,
        sessionId: session?.id,
        intents: session?.intents ?? 0,
      }));
    },
    get tcp() {
      return hub.tcp.size;
    },
    get sessions() {
      return hub.sessions.size;
    },
    get identifies() {
      return hub.counts.identifies;
    },
    get resumes() {
      return hub.counts.resumes;
    },
    kill(id) {
      for (const { socket } of chosen(id)) socket.destroy();
    },
    close(code, id) {
      for (const { ws } of chosen(id)) ws.close(code);
    },
    blackhole(id) {
      for (const connection of chosen(id)) {
        connection.silent = true;
        connection.ws.pause();
      }
    },
    stopAcks(id) {
      for (const connection of chosen(id)) connection.acking = false;
    },
    reconnect(id) {
      for (const connection of chosen(id)) write(connection, JSON.stringify({ op: 7, s: null, t: null, d: null }));
    },
    invalidate(resumable, id) {
      for (const connection of chosen(id)) {
        hub.detach(connection, resumable);
        invalidSession(connection, resumable);
      }
    },
    forget() {
      hub.sessions.clear();
    },
    down: () => hub.down(),
    up: () => hub.listen(),
  };
}
