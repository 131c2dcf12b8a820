import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { ChainEnd } from './chain.ts';
import { auditFiles, endOf, type FoundFile, linesOf, membersIn } from './folder.ts';

/** Files looked at for the one that was opened last, and named at most. */
const LOOKED_AT = 16;
const MOST_NAMED = 200;

/** File systems that count in whole seconds, or two. */
const COARSE_MS = 2_000;

/** First row of a file: who writes it, and where the chains of the files before it stood. */
export interface OpenedRow {
  readonly event: 'opened';
  readonly pid: number;
  readonly host: string;
  readonly seen: readonly ChainEnd[];
}

/** Where a chain stood, as a row names it. */
export const chainEnd = z.object({ chain: z.string(), n: z.number(), hash: z.string() });

const openedRow = z.object({
  event: z.literal('opened'),
  ts: z.string(),
  pid: z.number(),
  host: z.string(),
  seen: z.array(chainEnd),
});

/**
 * What the first row of `path` says. It names every file that changed since the last one was opened, which named those
 * before it: so a file that is deleted, or cut short once its run is over, is missed by a later one.
 */
export function openedRowFor(path: string): OpenedRow {
  const others = auditFiles(dirname(path)).filter((file) => file.path !== path && !file.isGateways);
  const since = Math.max(0, ...others.slice(0, LOOKED_AT).map(openedAt)) - COARSE_MS;
  const seen = others
    .filter((file, place) => place < LOOKED_AT || file.changedAt >= since)
    .slice(0, MOST_NAMED)
    .flatMap((file) => endOf(file.path) ?? []);
  return { event: 'opened', pid: process.pid, host: hostname(), seen };
}

/** The first row of a file, or undefined where an older version wrote it. */
export function readOpened(path: string): z.output<typeof openedRow> | undefined {
  return openedRow.safeParse(membersIn(linesOf(path)[0] ?? '')).data;
}

/** Whether the process that opened the file may still write to it, as far as this host can tell. */
export function mayBeWritten(file: FoundFile): boolean {
  const opened = readOpened(file.path);
  if (opened === undefined || opened.host !== hostname() || isClosed(file)) return false;
  try {
    process.kill(opened.pid, 0);
    return true;
  } catch (thrown) {
    // There, and somebody else's: EPERM.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

function isClosed({ path }: FoundFile): boolean {
  return membersIn(linesOf(path).at(-2) ?? '')?.['event'] === 'closed';
}

function openedAt(file: FoundFile): number {
  const opened = readOpened(file.path);
  return opened === undefined ? 0 : Date.parse(opened.ts);
}
