import type { Sockets } from '../types.ts';
import type { Connection } from './connection.ts';
import { disconnectFrame, type Hub } from './hub.ts';

/** How long Slack leaves a connection open after it asked for a refresh. A guess, in real milliseconds. */
const CLOSES_AFTER_MS = 1000;

/** What a test does to open connections. */
export function createSocketControls(hub: Hub): Sockets & { stop(): void } {
  const stops = new Set<() => void>();
  const chosen = (id: string | undefined): Connection[] => {
    const found = [...hub.connections].filter((one) => id === undefined || one.id === id);
    if (id !== undefined && found.length === 0) throw new Error(`There is no open connection ${id}`);
    return found;
  };

  const controls: Sockets & { stop(): void } = {
    get open() {
      return [...hub.connections].map(({ id, openedAt, greeted }) => ({ id, openedAt, greeted }));
    },
    get tcp() {
      return hub.tcp.size;
    },
    kill(id) {
      for (const { socket } of chosen(id)) socket.destroy();
    },
    blackhole(id) {
      for (const connection of chosen(id)) {
        connection.silent = true;
        connection.ws.pause();
      }
    },
    stopPings(id) {
      for (const connection of chosen(id)) connection.pinging = false;
    },
    disconnect(reason, { id, close = reason !== 'warning' } = {}) {
      for (const connection of chosen(id)) {
        const { ws, silent } = connection;
        if (silent || ws.readyState !== ws.OPEN) continue;
        connection.leaving = close;
        ws.send(disconnectFrame(reason));
        if (close) setTimeout(() => ws.close(1000), CLOSES_AFTER_MS).unref();
      }
    },
    rollingRefresh(everyMs) {
      const timer = setInterval(() => {
        const oldest = [...hub.connections].find((one) => !one.leaving && one.ws.readyState === one.ws.OPEN);
        if (oldest) controls.disconnect('refresh_requested', { id: oldest.id });
      }, everyMs);
      const stop = () => {
        clearInterval(timer);
        stops.delete(stop);
      };
      stops.add(stop);
      return stop;
    },
    stop() {
      for (const stop of [...stops]) stop();
    },
  };
  return controls;
}
