import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';

/**
 * Where a write to the path would end up: links followed as far as something is there, the rest as written. Relative to
 * `cwd`; undefined for a relative path where that is not known, and for one that cannot be looked up.
 */
export async function realTarget(path: string, cwd: string | null): Promise<string | undefined> {
  if (cwd === null && !path.startsWith('/')) return undefined;
  let existing = resolve(cwd ?? '/', path);
  const rest: string[] = [];
  for (;;) {
    try {
      return join(await realpath(existing), ...rest);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(existing) === existing) return undefined;
      rest.unshift(basename(existing));
      existing = dirname(existing);
    }
  }
}

/** Beneath the workspace, not it itself. Both are real paths. */
export function isInside(target: string, workspace: string): boolean {
  return target.startsWith(workspace.endsWith(sep) ? workspace : `${workspace}${sep}`);
}
