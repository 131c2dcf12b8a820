import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export interface LiveProcess {
  pid: number;
  parentPid: number;
  /** The command line, arguments joined by spaces. */
  command: string;
}

/** Children, grandchildren and so on of `pid`, as long as their chain of parents lives. Linux only; no zombies. */
export async function descendantsOf(pid: number): Promise<LiveProcess[]> {
  const all = await liveProcesses();
  const family = new Set([pid]);
  // A child may stand before its parent in the list, so look until nobody joins.
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const each of all) if (family.has(each.parentPid)) family.add(each.pid);
  }
  return all.filter((each) => each.pid !== pid && family.has(each.pid));
}

/**
 * Every process that was started with `name=value` in its environment, orphans and detached ones too: with a home
 * directory of its own per run, this is everything the run ever started. Linux only; no zombies.
 */
export async function processesWith(name: string, value: string): Promise<LiveProcess[]> {
  const all = await liveProcesses();
  const mine = await Promise.all(
    all.map(async ({ pid }) => (await readProc(pid, 'environ'))?.split('\0').includes(`${name}=${value}`)),
  );
  return all.filter((_, index) => mine[index]);
}

/** Waits until `list` is empty; what is still there after `within` milliseconds is named in the rejection. */
export async function noneLeft(list: () => Promise<LiveProcess[]>, within = 3_000): Promise<void> {
  const deadline = Date.now() + within;
  for (;;) {
    const left = await list();
    if (left.length === 0) return;
    if (Date.now() > deadline) {
      const named = left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n');
      throw new Error(`still running after ${within} ms:\n${named}`);
    }
    // The kernel tells only the parent that a process ended, and these are other people's children.
    await delay(25);
  }
}

async function liveProcesses(): Promise<LiveProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const all = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readProc(pid, 'stat');
      // "pid (name) state ppid …", where the name may hold spaces and brackets.
      const [state, parentPid] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
      if (state === undefined || state === 'Z' || state === 'X') return [];
      const command = (await readProc(pid, 'cmdline'))?.replaceAll('\0', ' ').trim() ?? '';
      return { pid, parentPid: Number(parentPid), command };
    }),
  );
  return all.flat();
}

/** Undefined for a process that ended meanwhile or belongs to someone else: neither is one of ours. */
async function readProc(pid: number, file: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}
