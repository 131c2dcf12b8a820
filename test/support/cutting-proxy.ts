import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A unix socket in front of another one, which can lose what passes through it. */
export interface CuttingProxy {
  readonly socket: string;
  /** What `openRedisStore` takes. */
  readonly url: string;
  /** Connections that are open now. */
  readonly connections: number;
  /**
   * Forwards the next request that contains `text`, and cuts its connection when the server has answered, without
   * passing the answer on. Resolves when that has happened.
   */
  cutReplyTo(text: string): Promise<void>;
  /** The same, but the connection stays open and dumb: nothing passes any more, in either direction. */
  hushAfter(text: string): Promise<void>;
  /** Every connection of this moment stays open and passes nothing any more: half open. New ones work. */
  hush(): void;
  /** The same for those on which something was subscribed to. */
  hushSubscribers(): void;
  /** Cuts every connection of this moment. */
  cut(): void;
  /** Leads new connections to another server, as a failover does. Open ones stay where they are. */
  leadTo(socket: string): void;
  /** While true, new connections are cut at once. */
  refuses: boolean;
  close(): Promise<void>;
}

interface Pair {
  readonly inside: Socket;
  readonly outside: Socket;
  hushed: boolean;
  subscribes: boolean;
}

interface Trap {
  readonly text: string;
  readonly then: 'cut' | 'hush';
  readonly sprung: () => void;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'hr-proxy-'));
  const socket = join(folder, 'proxy.sock');
  const pairs = new Set<Pair>();
  const traps: Trap[] = [];
  const state = { target, refuses: false };

  // A network that swallows everything does not answer the end of a connection either.
  const server = createServer({ allowHalfOpen: true }, (outside) => {
    if (state.refuses) {
      outside.destroy();
      return;
    }
    const inside = connect(state.target);
    const pair: Pair = { inside, outside, hushed: false, subscribes: false };
    pairs.add(pair);
    let caught: Trap | undefined;
    outside.on('data', (chunk) => {
      if (pair.hushed) return;
      if (chunk.includes('subscribe')) pair.subscribes = true;
      const at = traps.findIndex((trap) => chunk.includes(trap.text));
      if (at >= 0) [caught] = traps.splice(at, 1);
      inside.write(chunk);
    });
    inside.on('data', (chunk) => {
      if (pair.hushed) return;
      if (caught === undefined) {
        outside.write(chunk);
        return;
      }
      if (caught.then === 'hush') pair.hushed = true;
      else outside.destroy();
      caught.sprung();
    });
    const end = () => {
      inside.destroy();
      outside.destroy();
      pairs.delete(pair);
    };
    outside.on('end', () => {
      if (!pair.hushed) end();
    });
    inside.on('close', () => {
      if (!pair.hushed) end();
    });
    outside.on('close', end);
    // What ends a connection with an error closes it, too.
    for (const one of [inside, outside]) one.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const trap = (text: string, then: Trap['then']) =>
    new Promise<void>((sprung) => {
      traps.push({ text, then, sprung });
    });
  const cut = () => {
    for (const { inside, outside } of pairs) {
      outside.destroy();
      inside.destroy();
    }
  };
  return {
    socket,
    url: `unix://${socket}`,
    get connections() {
      return pairs.size;
    },
    get refuses() {
      return state.refuses;
    },
    set refuses(refuses) {
      state.refuses = refuses;
    },
    cutReplyTo: (text) => trap(text, 'cut'),
    hushAfter: (text) => trap(text, 'hush'),
    hush() {
      for (const pair of pairs) pair.hushed = true;
    },
    hushSubscribers() {
      for (const pair of pairs) if (pair.subscribes) pair.hushed = true;
    },
    cut,
    leadTo(other) {
      state.target = other;
    },
    async close() {
      cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
