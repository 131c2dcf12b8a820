import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { HandraiseError } from '../../core/errors.ts';

/** Bytes a socket path may have: macOS takes 104 with the closing NUL, Linux 108. */
const MAX_PATH_BYTES = 103;

const NAME = /^\d+-[0-9a-f]{8}\.sock$/;

/** Where the control sockets of one user lie: each gateway, `run` and `ask` has its own in it. */
export function controlDirectory(stateDirectory: string): string {
  return join(stateDirectory, 'control');
}

/** The path of a new one. */
export function newControlPath(stateDirectory: string): string {
  return join(controlDirectory(stateDirectory), `${process.pid}-${randomBytes(4).toString('hex')}.sock`);
}

/**
 * Listens at `path`: the directory is made 0700 where it is missing, the file is 0600 before anybody can see it. What a
 * killed process left at that path, or beside it, is taken away. Returns what removes the socket file again. Throws
 * `unavailable` when somebody listens there already or it cannot be had, `configuration` when others may write there.
 */
export async function listenAt(server: Server, path: string): Promise<() => void> {
  const directory = dirname(path);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    refuseUnfit(path, directory);
    await removeDead(path, directory);
    const hidden = join(directory, `.${randomBytes(4).toString('hex')}`);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(hidden, resolve);
    });
    chmodSync(hidden, 0o600);
    // Seen only once it listens and nobody else may connect.
    renameSync(hidden, path);
  } catch (cause) {
    if (cause instanceof HandraiseError) throw cause;
    throw new HandraiseError(`The control socket ${path} cannot be opened: ${(cause as Error).message}`, {
      code: 'unavailable',
      hint: 'Set gateway.controlSocket to a path in a directory of your own.',
      cause,
    });
  }
  const { ino } = lstatSync(path);
  return () => {
    // Another process may have taken the path over meanwhile.
    if (inodeOf(path) === ino) rmSync(path, { force: true });
  };
}

/** Sockets in the directory that somebody listens on, oldest process id first; those of the dead are removed. */
export async function liveSockets(directory: string): Promise<string[]> {
  const found = await Promise.all(socketsIn(directory).map(async (path) => ((await removedDead(path)) ? [] : [path])));
  return found.flat().sort();
}

function socketsIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => NAME.test(name))
      .map((name) => join(directory, name));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}

function refuseUnfit(path: string, directory: string): void {
  const length = Buffer.byteLength(path);
  if (length > MAX_PATH_BYTES) {
    throw new HandraiseError(`The control socket's path has ${length} bytes; a socket takes ${MAX_PATH_BYTES}.`, {
      code: 'configuration',
      hint: 'Set gateway.controlSocket (or XDG_STATE_HOME) to something shorter.',
    });
  }
  const { mode } = statSync(directory);
  if ((mode & 0o022) !== 0) {
    throw new HandraiseError(`Others may write in ${directory}, so they could take the control socket's place.`, {
      code: 'configuration',
      hint: `Close it (chmod go-w ${directory}), or set gateway.controlSocket to a path in a directory of your own.`,
    });
  }
}

/** At a path that was configured, and beside it: what processes that were killed left. */
async function removeDead(path: string, directory: string): Promise<void> {
  await liveSockets(directory);
  if (inodeOf(path) === undefined) return;
  if (!lstatSync(path).isSocket()) {
    throw new HandraiseError(`${path} is there already and is no socket.`, {
      code: 'configuration',
      hint: 'Set gateway.controlSocket to another path.',
    });
  }
  if (await removedDead(path)) return;
  throw new HandraiseError(`Another gateway listens on ${path}.`, {
    code: 'unavailable',
    hint: 'Give each gateway on a host a gateway.controlSocket of its own, or none.',
  });
}

/** Whether nobody listened there, and it is gone now. */
function removedDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      const isDead = code === 'ECONNREFUSED' || code === 'ENOENT';
      if (isDead) rmSync(path, { force: true });
      resolve(isDead);
    });
  });
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}
