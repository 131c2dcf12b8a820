import { readFileSync } from 'node:fs';

/** Variables that `run` gives to its agent, and whatever the agent starts inherits. */
const MARKS = ['HANDRAISE_SOCK', 'HANDRAISE_MCP_CONFIG', 'KITSOKI_OPERATOR_ASK_SOCK'] as const;

/** Longer chains of parents do not occur; one that goes round (a process id used anew meanwhile) ends here. */
const MOST_PARENTS = 200;

/** How `handraise` stands in its own command line: as it is installed, in a container, from source. */
const PROGRAM = /(?:^|\/)(?:handraise(?:\.mjs)?|src\/main\.[jt]s)$/;

/** The same for this process's own environment, which may have changed since its start. */
export function hasMark(env: NodeJS.ProcessEnv): boolean {
  return MARKS.some((mark) => env[mark] !== undefined);
}

/**
 * Why a process is taken for one of an agent's: it, or one above it, has what `run` gives to agents, or stands beneath a
 * `handraise run` or beneath `host`. Undefined when nothing says so. A hurdle and no wall: a process of the same user
 * that leaves its parents and its environment behind is not recognised. Without /proc (macOS) it never is.
 */
export function agentAbove(pid: number, host?: number): string | undefined {
  let at = pid;
  for (let step = 0; step < MOST_PARENTS && at > 1; step += 1) {
    const mark = MARKS.find((name) => environmentOf(at).some((entry) => entry.startsWith(`${name}=`)));
    if (mark !== undefined) return `process ${at} has ${mark} in its environment`;
    if (at !== pid && (at === host || isRun(at))) return `process ${at} above it runs an agent`;
    at = parentOf(at);
  }
  return undefined;
}

function environmentOf(pid: number): string[] {
  return read(pid, 'environ').split('\0');
}

/** `node … handraise.mjs run …`, by whatever path. */
function isRun(pid: number): boolean {
  const words = read(pid, 'cmdline').split('\0');
  const program = words.findIndex((word) => PROGRAM.test(word));
  return program >= 0 && words[program + 1] === 'run';
}

/** 0 when it is gone or cannot be seen. */
function parentOf(pid: number): number {
  const stat = read(pid, 'stat');
  // "pid (name) state ppid …", where the name may hold spaces and brackets.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function read(pid: number, file: 'environ' | 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // Gone, another user's, or no /proc at all: what cannot be seen marks nothing.
    return '';
  }
}
