import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { PLATFORMS } from '../core/actor.ts';
import { HandraiseError } from '../core/errors.ts';
import type { CardJournal, JournalEntry } from '../core/ports/card-journal.ts';
import type { CardRef } from '../core/request.ts';
import { type LineFile, openLineFile } from '../observe/line-file.ts';
import { createOpenCards, type OpenCard } from './open-cards.ts';
import { isAlive, thisProcess } from './process-identity.ts';

/** What a dead run left in channels, at least one card or post of unknown result. */
export interface AbandonedJournal {
  /** For `removeJournal`, once all of it is settled. */
  readonly file: string;
  readonly cards: readonly OpenCard[];
}

const SUFFIX = '.cards.jsonl';

const platform = z.enum(PLATFORMS);
const place = z.object({ platform, channel: z.string() });
const cardRef: z.ZodType<CardRef> = z.object({
  platform,
  workspaceId: z.string(),
  channel: z.string(),
  message: z.string(),
  thread: z.string(),
  pointer: z.string().exactOptional(),
});
const requestId = z.string();
const entry: z.ZodType<JournalEntry> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('posting'), requestId, sessionId: z.string(), place }),
  z.object({ kind: z.literal('not_posted'), requestId, place }),
  z.object({ kind: z.literal('posted'), requestId, card: cardRef }),
  z.object({ kind: z.literal('settled'), requestId, card: cardRef }),
]);
const header = z.object({ v: z.literal(1), pid: z.int(), startedAt: z.string().optional() });

/**
 * The journal of this run, a file of its own in `directory` (made 0700 where it is missing). The file appears with the
 * first entry; `close` removes it when every card in it is settled, else it stays for the next run.
 */
export function openCardJournal(directory: string, incarnation: string): CardJournal & { close(): void } {
  if (!/^[\w-]+$/.test(incarnation)) {
    throw new HandraiseError(`"${incarnation}" cannot be part of a file name`, { code: 'usage' });
  }
  const file = join(directory, `${incarnation}${SUFFIX}`);
  const open = createOpenCards();
  let lines: LineFile | undefined;
  let isClosed = false;
  return {
    append(line) {
      // A second file would take the place of the first, and with it what that still holds for the next run.
      if (isClosed) throw new HandraiseError(`${file} is closed`, { code: 'store' });
      lines ??= begin(file);
      lines.append(JSON.stringify(line));
      open.take(line);
    },
    close() {
      lines?.close();
      if (!isClosed && lines !== undefined && open.list().length === 0) removeJournal(file);
      isClosed = true;
    },
  };
}

/** Takes its name only with the header in it: without one, another run would take us for dead. */
function begin(file: string): LineFile {
  const draft = `${file}.new`;
  const lines = openLineFile(draft, { durable: false });
  try {
    lines.append(JSON.stringify({ v: 1, ...thisProcess() }));
    renameSync(draft, file);
    return lines;
  } catch (thrown) {
    lines.close();
    removeJournal(draft);
    throw thrown;
  }
}

/**
 * What earlier runs left unsettled: every journal whose process is gone and that is not our own. Journals of live runs
 * are left alone; those of dead runs that hold nothing unsettled are removed on the way.
 */
export function readAbandonedCards(directory: string, ownIncarnation: string): AbandonedJournal[] {
  return journalsIn(directory).flatMap((name) => {
    if (name === `${ownIncarnation}${SUFFIX}`) return [];
    const file = join(directory, name);
    const cards = readDead(file);
    if (cards?.length === 0) removeJournal(file);
    return cards === undefined || cards.length === 0 ? [] : [{ file, cards }];
  });
}

/** Removes a journal whose cards are settled. One that is gone already is no error. */
export function removeJournal(file: string): void {
  rmSync(file, { force: true });
}

function journalsIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(SUFFIX));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw thrown;
  }
}

/** Undefined when its process lives, or another run has removed the file meanwhile. */
function readDead(file: string): readonly OpenCard[] | undefined {
  const lines = linesOf(file);
  if (lines === undefined) return undefined;
  const owner = header.safeParse(parsed(lines[0] ?? ''));
  if (owner.success && isAlive(owner.data)) return undefined;
  const open = createOpenCards();
  for (const line of lines) {
    // A killed run can leave half a line at the end: its post had not begun, or its "posting" line stands above it.
    const read = entry.safeParse(parsed(line));
    if (read.success) open.take(read.data);
  }
  return open.list();
}

function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Not JSON: no schema takes undefined, so the line counts as unreadable.
    return undefined;
  }
}
