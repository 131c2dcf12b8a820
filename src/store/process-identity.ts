import { readFileSync } from 'node:fs';

/** A process on this host, told apart from a later one with the same pid where the system says when it started. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: boot id and clock ticks since boot. Absent elsewhere. */
  readonly startedAt?: string | undefined;
}

export function thisProcess(): ProcessIdentity {
  const startedAt = startOf(process.pid);
  return { pid: process.pid, ...(startedAt === undefined ? {} : { startedAt }) };
}

/** Where it cannot be told (no start time), a process with the same pid counts as the same: better late than a live
 * run's cards settled under its hands. */
export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  const now = startOf(pid);
  if (startedAt !== undefined && now !== undefined) return now === startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it lives and belongs to somebody else.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Field 22 of /proc/<pid>/stat, counted behind the program name, which may hold spaces and brackets. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has exited: it only waits to be collected by its parent.
    if (state === 'Z' || state === 'X') return 'exited';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${rest[18]}`;
  } catch {
    // No such process, or no /proc at all (macOS): the caller falls back on the pid alone.
    return undefined;
  }
}
