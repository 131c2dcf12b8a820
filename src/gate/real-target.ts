import { readlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/**
 * Where a write to the path would end up: links followed, also those that lead to nothing yet, the rest as written. `..`
 * goes back by names, as file tools do. Relative to `cwd`; undefined for a relative path where that is not known, and for
 * one that cannot be looked up.
 */
export async function realTarget(path: string, cwd: string | null): Promise<string | undefined> {
  if (cwd === null && !path.startsWith('/')) return undefined;
  return followedPath(resolve(cwd ?? '/', path));
}

/** As many as the kernel follows. */
const MOST_LINKS = 40;

/** An absolute path as the kernel would walk it: behind a link, `..` is above what the link leads to. */
export async function followedPath(path: string): Promise<string | undefined> {
  const rest = path.split(sep).filter((name) => name !== '');
  let at: string = sep;
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '.') continue;
    const next = name === '..' ? dirname(at) : join(at, name);
    const link = name === '..' ? '' : await linkAt(next);
    if (link === undefined || (link !== '' && ++links > MOST_LINKS)) return undefined;
    if (link === '') {
      at = next;
      continue;
    }
    rest.unshift(...link.split(sep).filter((part) => part !== ''));
    if (link.startsWith(sep)) at = sep;
  }
  return at;
}

/** What a link says; empty for what is no link or not there, undefined where that cannot be seen. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR' ? '' : undefined;
  }
}

/** Beneath the workspace, not it itself. Both are real paths. */
export function isInside(target: string, workspace: string): boolean {
  return target.startsWith(workspace.endsWith(sep) ? workspace : `${workspace}${sep}`);
}
