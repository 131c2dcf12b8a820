import type { NewProposal, NewQuestions, Verdict } from '../request.ts';
import type { VerdictFault, VerdictSignature } from '../verdict-signature.ts';

/** What a decision is about, as its holder knows it: a gateway from the record, an owner from its own memory. */
export type DecidedOn =
  | Pick<NewQuestions, 'requestId' | 'kind' | 'batch' | 'view'>
  | Pick<NewProposal, 'requestId' | 'kind' | 'view'>;

/** The gateway's side: signs a decision on the record it judged. `at`: now, by the store's clock. */
export type SignVerdict = (
  on: DecidedOn,
  decided: Pick<Verdict, 'decision' | 'actor' | 'interactionId'>,
  at: number,
) => VerdictSignature;

/** The owner's side: why a recorded verdict is not a decision on what it holds itself; undefined when it is. */
export type VerifyVerdict = (on: DecidedOn, verdict: Verdict) => VerdictFault | undefined;
