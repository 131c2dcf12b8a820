import type { NewProposal, NewQuestions, Verdict, Vote } from '../request.ts';
import type { VerdictFault, VerdictSignature } from '../verdict-signature.ts';

/** What a decision is about, as its holder knows it: a gateway from the record, an owner from its own memory. */
export type DecidedOn =
  | Pick<NewQuestions, 'requestId' | 'kind' | 'batch' | 'view'>
  | Pick<NewProposal, 'requestId' | 'kind' | 'view'>;

/** The gateway's side: signs a decision on the record it judged. `at`: now, by the store's clock. */
export type SignVerdict = (
  on: DecidedOn,
  decided: Pick<Verdict, 'decision' | 'actor' | 'interactionId' | 'quorum'>,
  at: number,
) => VerdictSignature;

/** The owner's side: why a recorded verdict is not a decision on what it holds itself; undefined when it is. */
export type VerifyVerdict = (on: DecidedOn, verdict: Verdict) => VerdictFault | undefined;

/** The gateways' own: votes they count later, perhaps another one of them. A vote is no verdict, and proves none. */
export interface VoteTrust {
  readonly sign: SignVerdict;
  /** Whether a stored vote is a gateway's, on this very request. */
  readonly isGenuine: (on: DecidedOn, vote: Vote) => boolean;
}
