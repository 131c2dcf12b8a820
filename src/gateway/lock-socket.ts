import { connect, type Server } from 'node:net';
import { HandraiseError } from '../core/errors.ts';

/** A token that is ours until it is given back. */
export interface TokenLock {
  /** Gives the token back. Calling it twice does nothing. */
  release(): Promise<void>;
}

/** Who holds it, where that process says so. */
export interface Held {
  readonly pid: number | undefined;
}

/** False when somebody else listens there. The server does not keep the process alive. */
export function listenOn(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(new HandraiseError(`The chat token cannot be locked: ${error.message}`, { code: 'unavailable' }));
    });
    server.listen(address, () => resolve(true));
    server.unref();
  });
}

export async function closed(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** A holder answers at once, unless it is stopped or very busy: then it holds the lock all the same. */
const HOLDER_ANSWERS_WITHIN_MS = 500;

export interface Holder extends Held {
  /** `claiming` = not decided yet; only files know it. */
  readonly state: 'held' | 'claiming';
}

/** What the process listening there says; undefined when nobody listens. */
export function askHolder(address: string): Promise<Holder | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(address);
    const timer = setTimeout(() => socket.destroy(), HOLDER_ANSWERS_WITHIN_MS);
    let there = false;
    socket.on('connect', () => {
      there = true;
    });
    socket.on('data', (chunk) => {
      said += String(chunk);
    });
    socket.on('error', () => undefined); // `close` follows and decides.
    socket.on('close', () => {
      clearTimeout(timer);
      const [, state, pid] = /^(held|claiming) (\d+)\n/.exec(said) ?? [];
      if (!there) resolve(undefined);
      else
        resolve({
          state: state === 'claiming' ? 'claiming' : 'held',
          pid: pid === undefined ? undefined : Number(pid),
        });
    });
  });
}
