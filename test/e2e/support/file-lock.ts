import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_AGAIN_MS = 250;

/**
 * Runs `work` while this process alone holds `path`, whose content is the holder's pid. A lock whose holder is dead is
 * taken over. Rejects when the lock is not free within `within` milliseconds.
 */
export async function withFileLock<T>(path: string, within: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + within;
  while (!(await take(path))) {
    const holder = await holderOf(path);
    if (Date.now() > deadline) throw new Error(`${path} is still held by process ${holder} after ${within} ms`);
    if (holder !== undefined && !isAlive(holder)) await rm(path, { force: true });
    else await delay(LOOK_AGAIN_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Unknown when the holder has just let go, or has created the file and not yet written its pid. */
async function holderOf(path: string): Promise<number | undefined> {
  try {
    return Number(await readFile(path, 'utf8')) || undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
