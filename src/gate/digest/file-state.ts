import { createHash } from 'node:crypto';
import { constants, type FileHandle, open, realpath, stat } from 'node:fs/promises';

/** Bytes of one file, and of all files of one action, that are looked at. */
const MOST_OF_ONE = 16 * 1_048_576;
const MOST_OF_ALL = 64 * 1_048_576;

/**
 * What a path stands for right now. `real`: with symbolic links followed, so that a link that is turned elsewhere is a
 * change. Only the content of a regular file is bound; for everything else its kind is.
 */
export type FileState =
  | { readonly kind: 'file'; readonly real: string; readonly sha256: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder'; readonly real: string }
  /** A device, a pipe, a socket; a file that may not be read; one that is too large to look at. */
  | { readonly kind: 'other' | 'unreadable' | 'too-large'; readonly real?: string };

/** How many bytes may still be read; shared by the files of one action. */
export interface ReadingBudget {
  left: number;
}

export function readingBudget(): ReadingBudget {
  return { left: MOST_OF_ALL };
}

/** Never rejects and never waits for a pipe: what cannot be read is a state, too. */
export async function fileState(path: string, budget: ReadingBudget): Promise<FileState> {
  let real: string;
  try {
    real = await realpath(path);
  } catch (thrown) {
    return { kind: isAbsence(thrown) ? 'absent' : 'unreadable' };
  }
  try {
    const found = await stat(real);
    if (found.isDirectory()) return { kind: 'folder', real };
    if (!found.isFile()) return { kind: 'other', real };
    // Without O_NONBLOCK a pipe put in its place since then would never open.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return await contentOf(file, real, budget);
    } finally {
      await file.close();
    }
  } catch {
    // Whatever the system says: its content is not known, and that is what is bound.
    return { kind: 'unreadable', real };
  }
}

async function contentOf(file: FileHandle, real: string, budget: ReadingBudget): Promise<FileState> {
  const found = await file.stat();
  if (!found.isFile()) return { kind: 'other', real };
  const most = Math.min(MOST_OF_ONE, budget.left);
  if (found.size > most) return { kind: 'too-large', real };
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    read += (chunk as Buffer).byteLength;
    // It grows while it is read.
    if (read > most) return { kind: 'too-large', real };
    hash.update(chunk as Buffer);
  }
  budget.left -= read;
  return { kind: 'file', real, sha256: hash.digest('hex') };
}

function isAbsence(thrown: unknown): boolean {
  const { code } = thrown as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ERR_INVALID_ARG_VALUE';
}
