import { constants, setPriority } from 'node:os';

/**
 * In a run of this kind, Slack and Redis share two cores with everything they serve, and with whatever else the machine
 * does. They come first, where the system lets them: a Slack that takes ten seconds for a post is another test.
 */
export function comeFirst(pid: number): void {
  setPriorityOf(pid, constants.priority.PRIORITY_HIGH);
}

/** For what a process that comes first has started. */
export function comeAsUsual(pid: number | undefined): void {
  if (pid !== undefined) setPriorityOf(pid, constants.priority.PRIORITY_NORMAL);
}

function setPriorityOf(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch (error) {
    // Only root may come first, and a process may be gone already: then it is as it is.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'ESRCH', 'ERR_SYSTEM_ERROR'].includes(code)) throw error;
  }
}
