import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { HandraiseError } from '../core/errors.ts';

/** A file that grows by whole lines. */
export interface LineFile {
  /**
   * Appends the lines together. Throws `HandraiseError` code `store` when they could not all be written; then none of
   * them is left in the file, and the next append works on a clean line. Throws after `close`, too.
   */
  append(...lines: readonly string[]): void;
  close(): void;
}

/**
 * Opens or makes the file, 0600, in a folder that is made 0700 where it is missing. `durable` syncs each append to the
 * disk before it returns (0.4 ms on an SSD). One process writes it; `exclusive` sees to that: a file that exists is refused,
 * and so is every append once somebody removed the file. A half line that a crash left is closed off first.
 */
export function openLineFile(
  path: string,
  { durable, exclusive = false }: { durable: boolean; exclusive?: boolean },
): LineFile {
  const descriptor = openForAppending(path, durable, exclusive);
  let torn = endsTorn(path, descriptor);
  let isClosed = false;

  return {
    append(...lines) {
      // The system gives a closed descriptor's number to the next file or socket: the line would end up in there.
      if (isClosed) throw new HandraiseError(`${path} is closed`, { code: 'store' });
      if (lines.length === 0) return;
      const { size: before, nlink } = fstatSync(descriptor);
      // Lines of a removed file are nobody's to read: what must be kept is not kept there.
      if (exclusive && nlink === 0) throw failure(path, Object.assign(new Error('removed'), { code: 'removed' }));
      try {
        writeWhole(descriptor, `${torn ? '\n' : ''}${lines.join('\n')}\n`);
        if (durable) fdatasyncSync(descriptor);
        torn = false;
      } catch (cause) {
        torn = !cutBack(descriptor, before) || torn;
        throw failure(path, cause);
      }
    },
    close() {
      if (!isClosed) closeSync(descriptor);
      isClosed = true;
    },
  };
}

/** The system may take only a part at a time (disk nearly full, size limit); it throws when it takes none. */
function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}

function openForAppending(path: string, durable: boolean, exclusive: boolean): number {
  try {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const descriptor = openSync(path, exclusive ? 'ax' : 'a', 0o600);
    // A new file survives a power cut only when its folder is on the disk, too.
    if (durable) syncFolder(folder);
    return descriptor;
  } catch (cause) {
    throw failure(path, cause);
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function endsTorn(path: string, appending: number): boolean {
  const { size } = fstatSync(appending);
  if (size === 0) return false;
  const reading = openSync(path, 'r');
  try {
    const last = Buffer.alloc(1);
    readSync(reading, last, 0, 1, size - 1);
    return last.toString('latin1') !== '\n';
  } finally {
    closeSync(reading);
  }
}

/** Whether the file is as it was. What cannot be cut (a device, a pipe) is closed off by a newline next time. */
function cutBack(descriptor: number, size: number): boolean {
  try {
    ftruncateSync(descriptor, size);
    return true;
  } catch {
    // The failure that led here is thrown by the caller; this one only decides how the next line begins.
    return false;
  }
}

function failure(path: string, cause: unknown): HandraiseError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
  return new HandraiseError(`${path} cannot be written (${code})`, {
    code: 'store',
    hint: 'Check free space and permissions of that folder.',
    cause,
  });
}
