import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import type { Platform } from '../core/actor.ts';
import { HandraiseError } from '../core/errors.ts';
import { askHolder, closed, type Held, listenOn, type TokenLock } from './lock-socket.ts';
import { claimByFile } from './token-lock-files.ts';

/**
 * Takes the chat token for this process, or throws `token_in_use`: Slack deals the clicks of one app out over all its
 * connections, so of two processes with one token each would get the other's; Discord gives every click to both, and
 * each would call the other's cards unknown. The lock is a listening socket named by
 * the token's hash, so it ends with its process, however that ends. On Linux it is an abstract one, which holds for
 * every user of the host; elsewhere, or with a `directory`, it is a file in there (this user's processes only).
 */
export async function acquireTokenLock(
  token: string,
  directory?: string,
  platform: Platform = 'slack',
): Promise<TokenLock> {
  const name = nameOfToken(token);
  const claim =
    directory === undefined && process.platform === 'linux'
      ? await claimAbstract(`\0handraise-token-${name}`.padEnd(ABSTRACT_ADDRESS_LENGTH, '-'))
      : await claimByFile(directory ?? `/tmp/handraise-${process.getuid?.() ?? 0}`, name);
  if ('release' in claim) return claim;
  const holder = claim.pid === undefined ? '' : ` (process ${claim.pid})`;
  throw new HandraiseError(`Another handraise run on this host${holder} uses the same ${NAMES[platform]} token.`, {
    code: 'token_in_use',
    hint: 'Wait until it ends, stop it, or let both ask through `handraise gateway` (docs/deploy.md): each would get clicks that are meant for the other.',
  });
}

const NAMES: Readonly<Record<Platform, string>> = { slack: 'Slack', discord: 'Discord' };

/**
 * All of `sun_path` (unix(7)). Node 20 pads a shorter abstract address with NULs and Node 24 does not: the two would
 * listen at different addresses, and both would have the token.
 */
const ABSTRACT_ADDRESS_LENGTH = 108;

/** A name for the token that may be seen: 64 bit of its SHA-256, as 16 hexadecimal digits. */
export function nameOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 16);
}

async function claimAbstract(address: string): Promise<TokenLock | Held> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined); // Whoever asked has left, which is no concern of the lock.
    socket.end(`held ${process.pid}\n`);
  });
  if (await listenOn(server, address)) return { release: () => closed(server) };
  return { pid: (await askHolder(address))?.pid };
}
