import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../doubles/slack/random.ts';
import { isQuiet, readAudit } from './audit.ts';
import { startFaults } from './faults.ts';
import type { CardSeen, ChatPlatform } from './history.ts';
import { type Judged, judge } from './judge.ts';
import { type People, startPeople } from './people.ts';
import { planFaults } from './plan.ts';
import { openStage, type Stage } from './stage.ts';

export interface ChaosOptions {
  readonly platforms: readonly ChatPlatform[];
  readonly seed: number;
  readonly requests: number;
  /** Mean milliseconds between two faults; undefined: none, the calm run. */
  readonly faultEveryMs?: number | undefined;
  readonly gateways: number;
  readonly owners: number;
  readonly channels: number;
  /** The double's rate limits are counted on a clock this many times faster than the processes'. */
  readonly faster: number;
  readonly leaseMs?: number | undefined;
  /** After this no more faults happen, and nobody waits for owners any more. */
  readonly mostMs: number;
  readonly say: (line: string) => void;
}

export interface ChaosResult {
  readonly judged: Judged;
  /** Rules of a platform that were broken, processes that ended by themselves, ends that did not come. */
  readonly failures: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
  readonly people: People['counts'];
  readonly asked: number;
  readonly tookMs: number;
  /** Where everything that was written lies, when something was wrong. */
  readonly folder: string | undefined;
}

/** A request waits in line for three times its 60 s at most; then its owner ends it, woken or at its next look. */
const LONGEST_MS = 200_000;

/** What is left is settled within this time of the last fault: a lost owner's lease, Redis' quiet time, and retries. */
const QUIET_WITHIN_MS = 75_000;

/** One run: start everything, let people answer and faults happen, wait until all is quiet, judge. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, faultEveryMs, say } = options;
  const begun = Date.now();
  const failures: string[] = [];
  const onFailure = (why: string) => {
    failures.push(why);
    say(`FAILURE: ${why}`);
  };
  let owned = 0;
  let allDone: () => void = () => undefined;
  const ownersDone = new Promise<void>((resolve) => {
    allDone = resolve;
  });
  const stage = await openStage({
    ...options,
    onFailure,
    onDone() {
      owned += 1;
      if (owned === options.owners) allDone();
    },
  });
  const { chats, cards } = stage;
  const people = startPeople(chats, cards, createRandom(seed));
  let keep = true;
  try {
    await Promise.all(stage.gateways.map((gateway) => gateway.start()));
    say(`${stage.gateways.length} gateways are ready after ${Date.now() - begun} ms`);
    for (const owner of stage.owners) owner.start();
    const plan =
      faultEveryMs === undefined ? undefined : planFaults(createRandom(seed * 7_919), faultEveryMs, options.platforms);
    const faults =
      plan === undefined ? undefined : startFaults(stage, plan, { progress: () => decided(cards.all()), onFailure });
    if (!(await within(options.mostMs, ownersDone))) onFailure(`not every owner was done after ${options.mostMs} ms`);
    say(`owners were done after ${Date.now() - begun} ms`);
    await faults?.stop();
    if (!(await becomesQuiet(stage))) onFailure(`not quiet ${QUIET_WITHIN_MS} ms after the last fault`);
    const history = {
      asked: stage.owners.flatMap((owner) => owner.notes().asked),
      received: stage.owners.flatMap((owner) => owner.notes().received),
      clicked: people.clicked,
      cards: cards.all(),
      audit: await readAudit(stage.redis.client),
      people: chats.flatMap((chat) => chat.people),
      killed: new Set(stage.owners.flatMap(({ killed }) => killed)),
    };
    const judged = judge(history, { endMs: LONGEST_MS });
    for (const chat of chats) for (const broken of chat.violations()) onFailure(`${chat.platform}: ${broken}`);
    keep = failures.length > 0 || judged.violations.length > 0;
    if (keep) writeFileSync(join(stage.folder, 'history.json'), JSON.stringify(history));
    return {
      ...{ judged, failures, faults: faults?.counts ?? {}, people: people.counts, asked: history.asked.length },
      tookMs: Date.now() - begun,
      folder: keep ? stage.folder : undefined,
    };
  } finally {
    people.stop();
    await stage.close(keep);
  }
}

/** Cards that show that somebody decided, or that nobody will. */
function decided(all: readonly CardSeen[]): number {
  return all.filter(({ looks }) => looks.at(-1)?.isLive === false).length;
}

async function within(ms: number, work: Promise<void>): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([work.then(() => true), sleep(ms, false, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}

/** Quiet twice in a row, since a gateway may be about to find something. */
async function becomesQuiet({ redis }: Stage): Promise<boolean> {
  const until = Date.now() + QUIET_WITHIN_MS;
  for (let quiet = 0; quiet < 2; ) {
    if (Date.now() > until) return false;
    quiet = (await isQuiet(redis.client)) ? quiet + 1 : 0;
    await sleep(250);
  }
  return true;
}
