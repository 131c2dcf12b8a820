import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { FaultScript } from '../faults.ts';
import type { Session } from './session.ts';

export interface Connection {
  readonly id: string;
  readonly openedAt: number;
  readonly ws: WebSocket;
  readonly socket: Duplex;
  session: Session | undefined;
  /** After READY or RESUMED. */
  ready: boolean;
  /** Half-open: nothing more goes in or out. */
  silent: boolean;
  /** Heartbeats are acknowledged. */
  acking: boolean;
  /** Frames of the client in the running minute. */
  readonly received: number[];
  heartbeatAt: number;
}

export function write(connection: Connection, frame: string): void {
  const { ws, silent } = connection;
  if (!silent && ws.readyState === ws.OPEN) ws.send(frame);
}

/** Writes one dispatch, through whatever faults are armed. Whether it went out. */
export function writeDispatch(faults: FaultScript, connection: Connection, event: string, frame: string): boolean {
  if (faults.take('withhold', (fault) => fault.event === undefined || fault.event === event)) return false;
  const late = faults.take('latency');
  const twice = faults.take('duplicate') !== undefined;
  const go = () => {
    write(connection, frame);
    if (twice) write(connection, frame);
  };
  if (late) setTimeout(go, late.ms).unref();
  else go();
  return true;
}
