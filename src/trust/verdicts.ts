import { canonicalJson } from '../core/canonical-json.ts';
import type { DecidedOn, SignVerdict, VerifyVerdict, VoteTrust } from '../core/ports/verdict-trust.ts';
import type { Verdict } from '../core/request.ts';
import type { VerdictSignature } from '../core/verdict-signature.ts';
import { digestOf } from './digest.ts';
import type { SigningKey, VerdictKey } from './keys.ts';

/** Nothing else that is ever signed begins like these, so that no signature can be taken for another kind's. */
const VERDICT = 'handraise verdict 1\n';
const VOTE = 'handraise vote 1\n';

/** Signs decisions with the gateway's key. */
export function createVerdictSigner(key: SigningKey): SignVerdict {
  return signerOf(key, VERDICT);
}

/** Signs votes with the gateway's key, and knows those that it or a gateway with one of `keys` signed. */
export function createVoteTrust(key: SigningKey, keys: readonly VerdictKey[]): VoteTrust {
  const verify = verifierOf(keys, VOTE);
  return {
    sign: signerOf(key, VOTE),
    isGenuine: (on, vote) => verify(on, { ...vote, at: 0 }) === undefined,
  };
}

function signerOf(key: SigningKey, domain: string): SignVerdict {
  return (on, decided, at) => {
    const unsigned = { keyId: key.keyId, ...askedIn(on), view: digestOf(on.view), at };
    return { ...unsigned, value: key.sign(statement(domain, on, decided, unsigned)) };
  };
}

/** Verifies them with the pinned keys: any of them will do, so that keys can be changed one place after the other. */
export function createVerdictVerifier(keys: readonly VerdictKey[]): VerifyVerdict {
  const verify = verifierOf(keys, VERDICT);
  return (on, verdict) => verify(on, verdict) ?? (areEnough(verdict) ? undefined : 'too_few_people');
}

/** Whether it names as many different people as it says it takes. Nobody but the gateway knows which ids are linked. */
function areEnough({ actor, quorum }: Verdict): boolean {
  if (quorum === undefined) return true;
  const ids = [...quorum.earlier, actor].map(({ platform, workspaceId, userId }) =>
    JSON.stringify([platform, workspaceId, userId]),
  );
  return new Set(ids).size >= quorum.needed;
}

function verifierOf(keys: readonly VerdictKey[], domain: string): VerifyVerdict {
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  return (on, verdict) => {
    const { signature } = verdict;
    if (signature === undefined) return 'unsigned';
    const key = byId.get(signature.keyId);
    if (key === undefined) return 'unknown_key';
    if (!key.verifies(statement(domain, on, verdict, signature), signature.value)) return 'bad_signature';
    // Signed by a gateway, for this request: now whether it and its people saw what was asked.
    const { batch, action } = askedIn(on);
    if (signature.batch !== batch) return 'batch_differs';
    if (signature.action !== action) return 'action_differs';
    return signature.view === digestOf(on.view) ? undefined : 'view_differs';
  };
}

/** What was asked, by its digest. An action brings its own: that of what will run. */
function askedIn(on: DecidedOn): Pick<VerdictSignature, 'batch' | 'action'> {
  return on.kind === 'questions' ? { batch: digestOf(on.batch) } : { action: on.view.proposal.digest };
}

/** What is signed. The request id is the generation. Only a grant has a scope. */
function statement(
  domain: string,
  { requestId }: DecidedOn,
  { decision, actor, interactionId, quorum }: Pick<Verdict, 'decision' | 'actor' | 'interactionId' | 'quorum'>,
  { keyId, batch, action, view, at }: Omit<VerdictSignature, 'value'>,
): string {
  const scope = decision.kind === 'granted' ? decision.scope : null;
  const asked = { ...(batch === undefined ? {} : { batch }), ...(action === undefined ? {} : { action }) };
  const actors = [...(quorum?.earlier ?? []), actor];
  const needed = quorum === undefined ? {} : { needed: quorum.needed };
  const signed = { keyId, requestId, ...asked, view, decision, scope, actors, ...needed, interactionId, at };
  return `${domain}${canonicalJson(signed)}`;
}
