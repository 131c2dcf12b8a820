import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { HandraiseError, sentenceOf } from '../core/errors.ts';

/** Bytes a socket path may have: macOS takes 104 with the closing NUL, Linux 108. */
export const MAX_PATH_BYTES = 103;

const SOCKET_NAME = 'ask.sock';
const DIRECTORY_NAME = /^handraise-(\d+)-[A-Za-z0-9]{6}$/;

/** A directory of our own (0700) and the socket's path in it. */
export interface SocketPlace {
  readonly directory: string;
  readonly path: string;
}

/**
 * Makes the directory for one socket beneath `base`, else beneath the first of the usual temporary directories where
 * the path is short enough. Throws `unavailable` when there is none.
 */
export function makeSocketPlace(base: string | undefined): SocketPlace {
  const failures: string[] = [];
  for (const parent of candidates(base)) {
    const prefix = join(parent, `handraise-${process.pid}-`);
    const length = Buffer.byteLength(join(`${prefix}XXXXXX`, SOCKET_NAME));
    if (length > MAX_PATH_BYTES) {
      failures.push(`${parent}: a socket's path there has ${length} bytes, more than ${MAX_PATH_BYTES}`);
      continue;
    }
    try {
      const directory = mkdtempSync(prefix);
      chmodSync(directory, 0o700);
      return { directory, path: join(directory, SOCKET_NAME) };
    } catch (error) {
      failures.push(sentenceOf(error));
    }
  }
  throw new HandraiseError(`No place for the socket that agents ask through: ${failures.join('; ')}`, {
    code: 'unavailable',
    hint: 'Point TMPDIR at a writable directory with a short path.',
  });
}

/** Removes the socket and its directory. Both may be gone already. Synchronous, so that it works while exiting. */
export function removeSocketPlace(place: SocketPlace): void {
  rmSync(place.path, { force: true });
  rmSync(place.directory, { force: true, recursive: true });
}

/**
 * Removes what processes that were killed left behind beneath the same parents: our user's, of a process that is gone,
 * and with nobody listening. Returns the directories removed. Never throws: leftovers must not stop a run.
 */
export async function removeStalePlaces(base: string | undefined): Promise<string[]> {
  const removed: string[] = [];
  for (const parent of candidates(base)) {
    for (const name of entriesOf(parent)) {
      const directory = join(parent, name);
      if (!isOursAndDead(directory, name) || (await isListening(join(directory, SOCKET_NAME)))) continue;
      try {
        rmSync(join(directory, SOCKET_NAME), { force: true });
        rmdirSync(directory);
        removed.push(directory);
      } catch {
        // Another run cleaned it at the same moment, or something else lies in it: not ours to force.
      }
    }
  }
  return removed;
}

function candidates(base: string | undefined): string[] {
  if (base !== undefined) return [resolve(base)];
  return [...new Set([resolve(tmpdir()), '/private/tmp', '/tmp'])];
}

function entriesOf(parent: string): string[] {
  try {
    return readdirSync(parent).filter((name) => DIRECTORY_NAME.test(name));
  } catch {
    // A candidate that does not exist on this platform has no leftovers.
    return [];
  }
}

function isOursAndDead(directory: string, name: string): boolean {
  try {
    const facts = lstatSync(directory);
    return facts.isDirectory() && facts.uid === process.getuid?.() && !isAlive(Number(DIRECTORY_NAME.exec(name)?.[1]));
  } catch {
    // Gone between the listing and the look: nothing to clean.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A process id means little across containers that share a directory; a socket that answers is alive for certain. */
function isListening(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(path, () => {
      socket.destroy();
      settle(true);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
    );
  });
}
