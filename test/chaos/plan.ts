import type { Random } from '../doubles/slack/random.ts';
import type { ChatPlatform } from './history.ts';

/** What can happen, and how often in relation to the others. */
const WEIGHTS = {
  /** SIGKILL, and started again. */
  'kill gateway': 10,
  'kill owner': 4,
  'kill redis': 3,
  /** Every connection of one process to Redis. */
  'cut gateway': 6,
  'cut owner': 6,
  /** Connections stay open and pass nothing any more. */
  'half-open gateway': 3,
  'half-open owner': 3,
  'half-open subscriber of a gateway': 5,
  'half-open subscriber of an owner': 5,
  /** Redis does it, and its answer is lost. */
  'lost reply to a claim': 6,
  'lost reply to an owner': 6,
} as const;

/** The same of what can happen to one platform. */
const ON_PLATFORM = {
  slack: {
    'slack refresh': 6,
    'slack connection lost': 4,
    'slack connection half-open': 2,
    /** Slack does it, and its answer is lost. */
    'lost reply to a post': 5,
    'lost reply to an edit': 3,
    'slack is limited': 3,
  },
  discord: {
    /** Op 7, op 9, a cut socket, one that passes nothing any more, none at all. */
    'discord asks to reconnect': 5,
    'discord session lost': 3,
    'discord connection lost': 4,
    'discord connection half-open': 2,
    'discord gateway away': 2,
    /** HTTP 5xx and 429. */
    'discord fails a post': 3,
    'discord fails an edit': 3,
    'discord is limited': 3,
    'discord is limited everywhere': 2,
    /** Discord does it, and its answer is lost. */
    'lost reply to a Discord post': 5,
    'lost reply to a Discord edit': 3,
    'lost reply to a Discord click': 3,
  },
} as const satisfies Record<ChatPlatform, object>;

/** What happens to processes, connections to Redis and Redis itself; platforms name theirs themselves. */
export type CommonFault = keyof typeof WEIGHTS;

export interface PlannedFault {
  readonly kind: string;
  /** Milliseconds after the one before. */
  readonly afterMs: number;
  /** Which of several: an index, to be taken modulo their number. */
  readonly which: number;
  /** How long what was killed stays away. */
  readonly downMs: number;
}

/** Redis needs a quiet time after each crash: owners are judged 10 s after it is back. */
const BETWEEN_CRASHES_OF_REDIS_MS = 8_000;

/** The endless plan of a seed. The same seed gives the same plan on the same platforms, whatever becomes of it in time. */
export function* planFaults(
  random: Random,
  everyMs: number,
  platforms: readonly ChatPlatform[],
): Generator<PlannedFault, never> {
  const weights = [WEIGHTS, ...platforms.map((platform) => ON_PLATFORM[platform])].flatMap<[string, number]>(
    Object.entries,
  );
  const kinds = weights.flatMap(([kind, weight]) => Array<string>(weight).fill(kind));
  let sinceRedis = 0;
  for (;;) {
    const afterMs = Math.round(-Math.log(1 - random.next()) * everyMs);
    const which = Math.floor(random.next() * 1_000);
    const downMs = Math.round(100 + random.next() * 1_200);
    const kind = random.pick(kinds) ?? 'kill gateway';
    sinceRedis += afterMs;
    if (kind === 'kill redis') {
      if (sinceRedis < BETWEEN_CRASHES_OF_REDIS_MS) continue;
      sinceRedis = 0;
    }
    yield { kind, afterMs, which, downMs };
  }
}
