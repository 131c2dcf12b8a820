import { createServer, type Socket } from 'node:net';
import { serveControl } from './connection.ts';
import { createGrantDesk, type GrantKeeping } from './grant-desk.ts';
import { listPending } from './listing.ts';
import { listenAt } from './place.ts';
import { createResolver, type ResolverDeps } from './resolve.ts';

const ENDS_WITHIN_MS = 2_000;

/** Clients at a time; more are turned away. */
const MOST_CLIENTS = 32;

export interface ControlSocketDeps extends ResolverDeps {
  /** Where the grants are kept, and who draws their cards. Absent: there are none. */
  readonly grants?: GrantKeeping;
}

export interface ControlSocket {
  readonly path: string;
  /**
   * Removes the socket file, takes no more, and hangs up on everybody who has their answer. An answer may be what ends
   * this very process: whoever gave it is still told, within 2 s.
   */
  close(): Promise<void>;
}

/**
 * The control socket of a gateway, also of one inside `run` or `ask`: what people of this machine see and answer with
 * `handraise pending`, `handraise resolve` and `handraise grants`. Throws what `listenAt` throws.
 */
export async function openControlSocket(path: string, deps: ControlSocketDeps): Promise<ControlSocket> {
  const { store, clock, log } = deps;
  const clients = new Map<Socket, () => Promise<void>>();
  const resolve = createResolver(deps);
  const server = createServer((socket) => {
    const end = serveControl(socket, {
      list: () => listPending(store),
      isKnown: async (requestId) => (await store.read(requestId)) !== undefined,
      resolve,
      ...(deps.grants === undefined ? {} : { grants: createGrantDesk({ ...deps, ...deps.grants }) }),
      clock,
      log,
    });
    clients.set(socket, end);
    socket.once('close', () => clients.delete(socket));
  });
  server.maxConnections = MOST_CLIENTS;
  server.unref();
  const remove = await listenAt(server, path);
  server.on('error', (error) => log.error({ error: error.message }, 'the control socket failed'));
  return {
    path,
    async close() {
      remove();
      const closed = new Promise<void>((done) => server.close(() => done()));
      const cancel = clock.after(ENDS_WITHIN_MS, () => {
        for (const socket of clients.keys()) socket.destroy();
      });
      await Promise.all([...clients.values()].map((end) => end()));
      for (const socket of clients.keys()) socket.destroySoon();
      await closed;
      cancel();
    },
  };
}
