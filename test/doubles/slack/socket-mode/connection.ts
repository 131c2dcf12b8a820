import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FaultScript } from '../faults.ts';

export interface Connection {
  readonly id: string;
  readonly openedAt: number;
  readonly ws: WebSocket;
  readonly socket: Duplex;
  greeted: boolean;
  /** Half-open: nothing more goes in or out. */
  silent: boolean;
  pinging: boolean;
  /** Was asked to disconnect. Slack still sends to it until it is closed. */
  leaving: boolean;
}

/** Writes one envelope, through whatever faults are armed. */
export interface Writer {
  write(connection: Connection, frame: string): void;
}

export function createWriter(faults: FaultScript): Writer {
  let held: { readonly connection: Connection; readonly frame: string } | undefined;

  const now = ({ ws, silent }: Connection, frame: string): void => {
    if (silent || ws.readyState !== ws.OPEN) return;
    if (!faults.take('split')) {
      ws.send(frame);
      return;
    }
    const bytes = Buffer.from(frame);
    const third = Math.ceil(bytes.length / 3);
    ws.send(bytes.subarray(0, third), { binary: false, fin: false });
    ws.send(bytes.subarray(third, 2 * third), { binary: false, fin: false });
    ws.send(bytes.subarray(2 * third), { binary: false, fin: true });
  };

  return {
    write(connection, frame) {
      if (held) {
        const earlier = held;
        held = undefined;
        now(connection, frame);
        now(earlier.connection, earlier.frame);
        return;
      }
      if (faults.take('reorder')) {
        held = { connection, frame };
        return;
      }
      const late = faults.take('latency');
      const twice = faults.take('duplicate') !== undefined;
      const go = () => {
        now(connection, frame);
        if (twice) now(connection, frame);
      };
      if (late) setTimeout(go, late.ms).unref();
      else go();
    },
  };
}
