import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives to outgoing connections and to servers that ask for any port. */
const PORTS = { from: 15_000, count: 15_000 } as const;

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, for programs that cannot choose one themselves: `wanted`, unless
 * somebody has it. What else runs here takes ports from a range of their own, so that it is still free a moment later.
 */
export async function freePort(wanted = PORTS.from + Math.floor(Math.random() * PORTS.count)): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return wanted;
}
