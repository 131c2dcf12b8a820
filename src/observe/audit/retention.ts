import { unlinkSync } from 'node:fs';
import * as z from 'zod';
import type { ChainEnd } from './chain.ts';
import { auditFiles, endOf, type FoundFile, linesOf, membersIn } from './folder.ts';
import { chainEnd, mayBeWritten, readOpened } from './opening.ts';

/** A row that says which files were deleted as too old, and where their chains ended. Written before they go. */
export interface DeletedRow {
  readonly event: 'deleted';
  readonly chains: readonly ChainEnd[];
  /** Files of older versions, which have no chain. */
  readonly files: readonly string[];
}

const deletedRow = z.object({ event: z.literal('deleted'), chains: z.array(chainEnd), files: z.array(z.string()) });

/** Chains that a row says were deleted; of any other row none. */
export function deletedChains(row: unknown): readonly ChainEnd[] {
  return deletedRow.safeParse(row).data?.chains ?? [];
}

/**
 * What of a run's folder is older than `retentionMs`, as a row to write and what to do once that is on the disk.
 * Undefined when nothing is. Files of gateways are the gateways' own. A file of a process that lives stays.
 */
export function expire(
  folder: string,
  own: string,
  now: number,
  retentionMs: number,
): { row: DeletedRow; remove(): void } | undefined {
  const runs = auditFiles(folder).filter((file) => !file.isGateways && file.path !== own);
  const old = runs.filter((file) => file.changedAt < now - retentionMs && !mayBeWritten(file));
  if (old.length === 0) return undefined;
  const ends = new Map(old.map((file) => [file.name, endOf(file.path)]));
  const remaining = runs.filter((file) => !old.includes(file));
  const named = new Set(remaining.flatMap((file) => readOpened(file.path)?.seen ?? []).map(({ chain }) => chain));
  // What an old file says about older ones would go with it; it is said again as long as somebody names those.
  const earlier = old.flatMap(deletionsIn).filter(({ chain }) => named.has(chain));
  const row: DeletedRow = {
    event: 'deleted',
    chains: [...[...ends.values()].flatMap((end) => end ?? []), ...earlier],
    files: [...ends].flatMap(([name, end]) => (end === undefined ? [name] : [])),
  };
  return { row, remove: () => removeAll(old) };
}

export function removeAll(files: readonly FoundFile[]): void {
  for (const file of files) {
    try {
      unlinkSync(file.path);
    } catch (thrown) {
      // Two runs that start at once find the same files.
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
    }
  }
}

function deletionsIn(file: FoundFile): readonly ChainEnd[] {
  return linesOf(file.path)
    .filter((line) => line.includes('"event":"deleted"'))
    .flatMap((line) => deletedChains(membersIn(line)));
}
