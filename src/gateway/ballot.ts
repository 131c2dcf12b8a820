import type { Actor } from '../core/actor.ts';
import { type LinkedPerson, personOf } from '../core/policy/identities.ts';
import type { Refusal } from '../core/policy/people.ts';
import { narrowest, oneEach } from '../core/policy/quorum.ts';
import type { Claim, RequestStore, StoreResult } from '../core/ports/request-store.ts';
import type { SignVerdict, VoteTrust } from '../core/ports/verdict-trust.ts';
import type { Decision, RequestRecord, Vote } from '../core/request.ts';
import type { Authority } from './authority.ts';

/** An approval of a step that takes several people. */
export interface Approval {
  readonly decision: Extract<Decision, { kind: 'granted' }>;
  readonly actor: Actor;
  readonly interactionId: string;
}

/** What came of it: a vote beside others (`voted`), the store's word on the last one's claim, or why it counts for nothing. */
export type Polled =
  | { readonly voted: { readonly cast: number; readonly needed: number }; readonly record: RequestRecord }
  | { readonly refused: Extract<Refusal, 'voted_before' | 'voters_unverified'> }
  | { readonly result: StoreResult };

export interface BallotDeps {
  readonly store: Pick<RequestStore, 'read' | 'vote' | 'claim'>;
  readonly authority: Authority;
  readonly sign: SignVerdict;
  readonly trust: VoteTrust;
  /** The store's. */
  readonly now: () => number;
  /** Who is one person on several platforms. */
  readonly people: readonly LinkedPerson[];
}

/** Judged anew so often while others vote at the same moment; then the person is told to click again. */
const MOST_TRIES = 20;

/**
 * Counts one approval. Below the quorum it is a vote; the one that completes it becomes the claim, once everybody who
 * allowed it before is checked against policy again. Both are written only if the votes are still those that were judged.
 */
export async function poll(
  first: RequestRecord,
  approval: Approval,
  needed: number,
  deps: BallotDeps,
): Promise<Polled> {
  let record = first;
  for (let tries = 1; ; tries += 1) {
    const polled = await attempt(record, approval, needed, deps);
    const code = 'result' in polled ? polled.result.code : undefined;
    if (code !== 'votes_changed' || tries === MOST_TRIES) return polled;
    record = (await deps.store.read(record.requestId)) ?? record;
  }
}

async function attempt(record: RequestRecord, approval: Approval, needed: number, deps: BallotDeps): Promise<Polled> {
  const { store, trust, now, people } = deps;
  const { decision, actor, interactionId } = approval;
  const stored = record.ballot?.cast ?? [];
  const replaces = record.ballot?.revision ?? 0;
  const genuine = oneEach(
    stored.filter((vote) => trust.isGenuine(record, vote)),
    people,
  );
  const repeated = genuine.find((vote) => vote.interactionId === interactionId);
  if (repeated !== undefined) return { voted: { cast: genuine.length, needed }, record };
  const me = personOf(actor, people);
  if (genuine.some((vote) => personOf(vote.actor, people) === me)) return { refused: 'voted_before' };
  const struck = stored.filter((vote) => !genuine.includes(vote)).map((vote) => ({ vote, reason: 'bad_signature' }));
  const kept: Vote[] = [];
  for (const vote of genuine) {
    // Those before count for the last one only: until then, nothing comes of them.
    const refusal =
      genuine.length + 1 < needed ? undefined : await deps.authority.refusalOf(record, vote.actor, 'again');
    if (refusal === 'unverified') return { refused: 'voters_unverified' };
    if (refusal === undefined) kept.push(vote);
    else struck.push({ vote, reason: refusal });
  }
  if (kept.length + 1 < needed) {
    const signature = trust.sign(record, approval, now());
    const result = await store.vote(record.requestId, {
      vote: { ...approval, signature },
      replaces,
      kept,
      struck,
      needed,
    });
    if (result.code !== 'done' && result.code !== 'repeated') return { result };
    return { voted: { cast: result.record.ballot?.cast.length ?? kept.length + 1, needed }, record: result.record };
  }
  const scope = narrowest(decision.scope, ...kept.map((vote) => vote.decision.scope));
  const claim: Claim = {
    ...approval,
    decision: { kind: 'granted', scope },
    quorum: { needed, earlier: kept.map((vote) => vote.actor) },
    ballot: replaces,
  };
  const signature = deps.sign(record, claim, now());
  return { result: await store.claim(record.requestId, { ...claim, signature }) };
}
