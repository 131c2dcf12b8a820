import {
  type AuditSeen,
  type CardSeen,
  CHAT_PLATFORMS,
  type ChatPlatform,
  type History,
  optionsOf,
  type Person,
  type Received,
  typedFor,
} from './history.ts';

/** What a run must not do, and how it is counted. */
export type Fault = 'lost' | 'duplicated' | 'misdelivered' | 'unsettled' | 'falselyShown' | 'late' | 'unaudited';

export interface Violation {
  readonly fault: Fault;
  readonly key: string;
  readonly what: string;
}

export interface Bounds {
  /** Milliseconds from a question to its end. */
  readonly endMs: number;
}

export interface Judged {
  readonly violations: readonly Violation[];
  /** How the questions ended, by the audit; `unrecorded` when they never got into the store. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** By platform: from the end of each request to its card there showing it for good. */
  readonly settleMs: Readonly<Record<ChatPlatform, readonly number[]>>;
  /** From each recorded decision to the card showing its end for good. */
  readonly claimToSettledMs: readonly number[];
  /** From each question to its end. */
  readonly endMs: readonly number[];
}

/** Outcome → the card's word for it. */
const TAGS: Readonly<Record<string, string>> = {
  answered: 'answered',
  declined: 'left to the agent',
  skipped: 'skipped',
  timed_out: 'timed out',
  cancelled: 'withdrawn',
  owner_lost: 'agent gone',
  undeliverable: 'given up',
  indeterminate: 'not confirmed',
};

/** Ends of a recorded decision that say that it did not, or perhaps not, arrive. */
const SAID_SO = new Set(['owner_lost', 'indeterminate']);

/** Judges a whole run. Pure, so that it can be shown to fail: `test/unit/chaos/judge.test.ts` feeds it doctored runs. */
export function judge(history: History, bounds: Bounds): Judged {
  const run = indexed(history);
  const violations: Violation[] = [];
  const outcomes: Record<string, number> = {};
  const settleMs: Record<ChatPlatform, number[]> = { slack: [], discord: [] };
  const times = { claimToSettledMs: [] as number[], endMs: [] as number[] };
  for (const received of history.received) {
    if (run.asked.get(received.key)?.owner === received.owner) continue;
    violations.push({ fault: 'misdelivered', key: received.key, what: `${received.owner} got it and never asked` });
  }
  for (const { key, owner, at } of history.asked) {
    const say = (fault: Fault, what: string) => violations.push({ fault, key, what });
    const rows = run.audit.get(key) ?? [];
    const received = run.received.get(key) ?? [];
    const answer = judgeAnswers(received, run.labels.get(key) ?? new Set(), say);
    if (received.length === 0 && !history.killed.has(owner)) say('lost', `${owner} lives and never got a reply`);
    const end = judgeRows(rows, { answer, isKilled: history.killed.has(owner), askedAt: at, bounds }, say);
    const outcome = end?.outcome ?? (rows.length === 0 ? 'unrecorded' : 'none');
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (end !== undefined) times.endMs.push(end.at - at);
    const cards = run.cards.get(key) ?? [];
    const claim = rows.find(({ event }) => event === 'claimed');
    const decider = claim === undefined ? undefined : run.people.get(claim.actor?.userId ?? '');
    for (const platform of CHAT_PLATFORMS) {
      for (const part of ['card', 'pointer'] as const) {
        const count = cards.filter((card) => card.platform === platform && card.part === part).length;
        if (count > 1) say('duplicated', `${count} ${part}s on ${platform}`);
      }
    }
    for (const card of cards) {
      const sayOfCard: Say = (fault, what) => say(fault, `its ${card.part} on ${card.platform} ${what}`);
      const named = decider === undefined ? undefined : nameOn(card.platform, decider);
      const settledAt = judgeCard(card, { end, received, isClaimed: claim !== undefined, named }, sayOfCard);
      if (settledAt === undefined || end === undefined || card.part === 'pointer') continue;
      settleMs[card.platform].push(Math.max(0, settledAt - end.at));
      if (claim !== undefined) times.claimToSettledMs.push(settledAt - claim.at);
    }
  }
  return { violations, outcomes, settleMs, ...times };
}

type Say = (fault: Fault, what: string) => void;

/** Returns the answer that the agent got, if it got one. */
function judgeAnswers(received: readonly Received[], clicked: ReadonlySet<string>, say: Say): Received | undefined {
  if (received.length > 1) say('duplicated', `its agent got ${received.length} replies`);
  const answers = received.filter(({ isError }) => !isError);
  for (const { text } of answers) {
    if (![...clicked].some((label) => text.includes(JSON.stringify(label)))) {
      say('misdelivered', `its agent got something nobody clicked: ${text}`);
    }
  }
  return answers[0];
}

/** Returns the row of its end. */
function judgeRows(
  rows: readonly AuditSeen[],
  facts: { answer: Received | undefined; isKilled: boolean; askedAt: number; bounds: Bounds },
  say: Say,
): AuditSeen | undefined {
  const { answer, isKilled, askedAt, bounds } = facts;
  const of = (event: string) => rows.filter((row) => row.event === event);
  for (const event of ['claimed', 'delivered', 'ended']) {
    if (of(event).length > 1) say('duplicated', `${of(event).length} rows "${event}"`);
  }
  const [[claim], [delivery], [end]] = [of('claimed'), of('delivered'), of('ended')];
  if (answer !== undefined && claim === undefined)
    say('unaudited', 'its agent got an answer of which no claim is known');
  if (answer !== undefined && claim !== undefined && !holds(answer.text, claim)) {
    say('misdelivered', `its agent got another answer than the recorded ${claim.picks?.join(' ')}`);
  }
  if (delivery !== undefined && answer === undefined)
    say('falselyShown', 'recorded as delivered, and its agent got none');
  if (rows.length > 0 && end === undefined) say('unsettled', 'it never ended');
  if (end === undefined) return undefined;
  if (claim !== undefined && delivery === undefined && !SAID_SO.has(end.outcome ?? '')) {
    say('lost', `its recorded answer was not delivered, and it ended as ${end.outcome}`);
  }
  if (end.outcome === 'owner_lost' && !isKilled) say('lost', 'ended as owner_lost, and its owner lives');
  if (end.at - askedAt > bounds.endMs) say('late', `ended after ${end.at - askedAt} ms`);
  return end;
}

/** Whether a reply holds the choice that an audit row names; typed text has no name of its own. */
function holds(text: string, { pendingId = '', picks = [] }: AuditSeen): boolean {
  const [, index] = /^q0\.o(\d)$/.exec(picks[0] ?? '') ?? [];
  const label = index === undefined ? typedFor(pendingId) : optionsOf(pendingId)[Number(index)];
  return label !== undefined && text.includes(JSON.stringify(label));
}

/** How whoever decided is to be named on a card: on the other platform with where. */
function nameOn(platform: ChatPlatform, decider: Person): string {
  if (decider.platform === platform) return decider.name;
  return `${decider.name} on ${decider.platform === 'slack' ? 'Slack' : 'Discord'}`;
}

/** Returns since when the card shows the end. `named`: how whoever made the recorded choice is to be named on it. */
function judgeCard(
  { part, looks }: CardSeen,
  facts: {
    end: AuditSeen | undefined;
    received: readonly Received[];
    isClaimed: boolean;
    named: string | undefined;
  },
  say: Say,
): number | undefined {
  const { end, received, isClaimed, named } = facts;
  for (const { tag, at, says, by } of looks) {
    if (tag === 'recorded' && !isClaimed) {
      say('lost', 'said that an answer was recorded, and no claim is known');
    } else if (by !== undefined && by !== named) {
      say('falselyShown', `named ${by} instead of ${named ?? 'nobody'}`);
    }
    if (tag !== TAGS['answered']) continue;
    if (by === undefined) say('falselyShown', 'was shown as answered, and named nobody');
    // A pointer names the question only.
    const isTrue = received.some(
      (reply) => !reply.isError && reply.at <= at && (part === 'pointer' || isSameAnswer(reply.text, says)),
    );
    if (!isTrue) say('falselyShown', 'was shown as answered before its agent had that answer');
  }
  const last = looks.at(-1);
  if (last === undefined || last.isLive) say('unsettled', 'still has buttons');
  else if (last.tag === 'recorded') say('unsettled', 'still waits for the agent');
  else if (end?.outcome !== undefined && last.tag !== TAGS[end.outcome]) {
    say('falselyShown', `says "${last.tag}", and it ended as ${end.outcome}`);
  } else return looks.find((_, at) => looks.slice(at).every(({ tag }) => tag === last.tag))?.at;
  return undefined;
}

/** Both hold the same one of all that could be chosen. The card names every option, and marks the chosen one. */
function isSameAnswer(text: string, says: string): boolean {
  const [, chosen] = /→ (?:Other:[\s>]*)?((?:North|South|East|Elsewhere) q\d+)/.exec(says) ?? [];
  return chosen !== undefined && text.includes(JSON.stringify(chosen));
}

function indexed(history: History) {
  const labels = new Map<string, Set<string>>();
  for (const { key, label } of history.clicked) labels.set(key, (labels.get(key) ?? new Set()).add(label));
  const requests = new Map<string, string>();
  for (const { requestId, pendingId } of history.audit) if (pendingId !== undefined) requests.set(requestId, pendingId);
  return {
    labels,
    people: new Map(history.people.map((person) => [person.id, person])),
    asked: new Map(history.asked.map((one) => [one.key, one])),
    received: grouped(history.received, ({ key }) => key),
    cards: grouped(history.cards, ({ key }) => key),
    audit: grouped(history.audit, ({ requestId }) => requests.get(requestId) ?? requestId),
  };
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
