import { once } from 'node:events';
import { execa } from 'execa';

/** What flock(1) is told to exit with when it gave up, so that this differs from its other failures. */
const GAVE_UP = 75;

/**
 * Runs `work` while nobody else on this machine holds `path`. The kernel keeps the lock, so one whose holder was killed
 * is free at once. Rejects when the lock is not free within `within` milliseconds. Needs flock(1), of util-linux.
 */
export async function withFileLock<T>(path: string, within: number, work: () => Promise<T>): Promise<T> {
  // The holder lives as long as its stdin, which ends with this process however that ends.
  const hold = ['sh', '-c', 'echo held; exec cat >/dev/null'];
  const options = ['--exclusive', '--conflict-exit-code', String(GAVE_UP), '--timeout', String(within / 1_000)];
  const holder = execa('flock', [...options, path, ...hold], { reject: false });
  const held = await Promise.race([once(holder.stdout, 'data').then(() => true), holder.then(() => false)]);
  if (!held) {
    const { exitCode, shortMessage, stderr } = await holder;
    throw new Error(exitCode === GAVE_UP ? `${path} is still locked after ${within} ms` : `${shortMessage}\n${stderr}`);
  }
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await holder;
  }
}
