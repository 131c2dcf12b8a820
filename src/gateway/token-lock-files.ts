import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HandraiseError } from '../core/errors.ts';
import { askHolder, closed, type Held, type Holder, listenOn, type TokenLock } from './lock-socket.ts';

/** Claims that met another claim are made again this often; each time the two wait for random times. */
const MOST_ATTEMPTS = 20;

/**
 * The lock where sockets are files. One shared file could not be taken over from a killed process without a race (two
 * find it dead, one removes what the other has just made), so every claim listens on a file of its own and then looks at
 * all the others: of two claims at least the later one sees the other. Files of the dead, which refuse connections, are
 * removed; their names never come back.
 */
export async function claimByFile(directory: string, name: string): Promise<TokenLock | Held> {
  makePrivate(directory);
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const claim = await openClaim(directory, name);
    const others = await liveOthers(directory, name, claim.file);
    if (others.length === 0) return claim.hold();
    await claim.withdraw();
    const holder = others.find((other) => other.state === 'held');
    if (holder !== undefined) return { pid: holder.pid };
    await delay(randomInt(5, 50 + 10 * attempt));
  }
  return { pid: undefined };
}

async function openClaim(directory: string, name: string) {
  let state: Holder['state'] = 'claiming';
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // Whoever asked has left, which is no concern of the lock.
    socket.end(`${state} ${process.pid}\n`);
  });
  const file = `${name}.${randomBytes(6).toString('hex')}.sock`;
  const [hidden, visible] = [join(directory, `.${file}`), join(directory, file)];
  await listenOn(server, hidden);
  // Seen only once it listens: a socket that is bound and not listening yet looks like one of the dead.
  renameSync(hidden, visible);
  const withdraw = async () => {
    rmSync(visible, { force: true });
    await closed(server);
  };
  return {
    file,
    withdraw,
    hold(): TokenLock {
      state = 'held';
      return { release: withdraw };
    },
  };
}

async function liveOthers(directory: string, name: string, own: string): Promise<Holder[]> {
  const files = readdirSync(directory).filter((file) => file.startsWith(`${name}.`) && file !== own);
  const found = await Promise.all(
    files.map(async (file) => {
      const path = join(directory, file);
      const holder = await askHolder(path);
      if (holder === undefined) rmSync(path, { force: true });
      return holder ?? [];
    }),
  );
  return found.flat();
}

function makePrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { mode, uid } = statSync(directory);
  if ((mode & 0o077) === 0 && uid === process.getuid?.()) return;
  throw new HandraiseError(`${directory} is open to other users, so it cannot hold the lock of the chat token.`, {
    code: 'unavailable',
    hint: 'Remove that directory; it is made again.',
  });
}
