import { readFileSync } from 'node:fs';

/**
 * Whether this process is in the foreground of its terminal. Then Ctrl-C reaches the agent, which shares our process
 * group, from the kernel already; passing it on would make two of one.
 */
export function inForeground(): boolean {
  const stat = ownStat();
  if (stat === undefined) return process.stdin.isTTY === true || process.stderr.isTTY === true;
  // "pid (name) state ppid pgrp session tty_nr tpgid …", where the name may hold spaces and brackets.
  const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return terminal !== '0' && group === foreground;
}

function ownStat(): string | undefined {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    // macOS, or a container without /proc: the caller looks at the streams instead.
    return undefined;
  }
}
