import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** A hand-driven client of the socket: writes any bytes, reads line by line. */
export interface Peer {
  readonly socket: Socket;
  write(text: string | Buffer): void;
  send(frame: object): void;
  /** The next frame; rejects when the connection closes first. */
  receive(): Promise<Record<string, unknown>>;
  readonly closed: Promise<unknown>;
}

/** With `halfOpen`, our side's end leaves the other one open for reading. */
export async function connectPeer(path: string, { halfOpen = false } = {}): Promise<Peer> {
  const socket = connect({ path, allowHalfOpen: halfOpen });
  await once(socket, 'connect');
  // A reset by the listener is seen through `closed`.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  return {
    socket,
    closed,
    write: (text) => void socket.write(text),
    send: (frame) => void socket.write(`${JSON.stringify(frame)}\n`),
    async receive() {
      const { value, done } = await lines.next();
      if (done) throw new Error('the listener closed the connection');
      return JSON.parse(value);
    },
  };
}
