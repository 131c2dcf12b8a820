import { type Publication, publish, readPublished } from '../config/published.ts';
import type { Binding } from '../config/schema.ts';
import { HandraiseError } from '../core/errors.ts';
import type { LinkedPerson } from '../core/policy/identities.ts';
import type { GatewayLease } from '../core/ports/leases.ts';
import type { Logger } from '../core/ports/logger.ts';
import { GATEWAY_LEASE_MS } from '../store/keep-lease.ts';
import type { SigningKey, VerdictKey } from '../trust/keys.ts';
import { openText, signText } from '../trust/signed-text.ts';

const PURPOSE = 'handraise gateway lease 1';

/** Beyond the lease itself: what the two sides' estimates of the store's clock may differ by. */
const CLOCKS_DIFFER_MS = 5_000;

/** A lease that says what the gateway is and knows. Signed anew at each renewal, so that a copy is soon too old. */
export function signLease(
  about: Pick<Publication, 'issuedAt' | 'gate'> & Pick<GatewayLease, 'gatewayId' | 'platform'>,
  bindings: readonly Binding[],
  refusedFor: (binding: Binding) => string | undefined,
  key: SigningKey,
  people?: readonly LinkedPerson[],
): GatewayLease {
  const { gatewayId, platform } = about;
  return { gatewayId, platform, body: signText(PURPOSE, publish(about, bindings, refusedFor, people), key) };
}

/**
 * What those gateways say whose signatures verify; the others are logged and ignored. Throws `unavailable`, with what is
 * wrong, when none is left. `now`: by the store's clock.
 */
export function trustedLeases(
  leases: readonly GatewayLease[],
  keys: readonly VerdictKey[],
  now: number,
  log: Logger,
): readonly Publication[] {
  if (leases.length === 0) {
    throw unavailable(
      'No handraise gateway is connected to this Redis.',
      'Start `handraise gateway` with the same Redis, or unset HANDRAISE_REDIS_URL to ask without one.',
    );
  }
  const judged = leases.map((lease) => judgeLease(lease, keys, now));
  for (const { gatewayId, fault, keyId } of judged) {
    if (fault !== undefined) log.warn({ gatewayId, fault, keyId }, 'a gateway is not believed');
  }
  const trusted = judged.flatMap(({ publication }) => publication ?? []);
  if (trusted.length > 0) return trusted;
  if (judged.every(({ fault }) => fault === 'not_understood')) {
    throw unavailable(
      'The gateways on this Redis are of another version of handraise.',
      'Install the same version for gateways and runs.',
    );
  }
  const theirs = [...new Set(judged.flatMap(({ keyId }) => keyId ?? []))];
  const pinned = keys.map(({ keyId }) => keyId).join(', ');
  throw unavailable(
    'No gateway on this Redis can prove that it is one this run may believe.',
    theirs.length === 0
      ? `Its signature is wrong or old, though the key is pinned (${pinned}): somebody else may write to this Redis.`
      : `It signs with the key ${theirs.join(', ')}; pinned are ${pinned}. If it is yours, add what \`handraise gateway keys show\` prints there to HANDRAISE_VERDICT_KEYS or trust.verdictKeys.`,
  );
}

export type JudgedLease = { readonly gatewayId: string } & (
  | { readonly publication: Publication; readonly fault?: never; readonly keyId?: never }
  /** `keyId`: what it claims to be signed with, where that key is not pinned. */
  | { readonly publication?: never; readonly fault: LeaseFault; readonly keyId?: string }
);

export type LeaseFault = 'not_understood' | 'unknown_key' | 'bad_signature' | 'of_another_gateway' | 'too_old';

/** What a gateway says, or why that is not believed. `now`: by the store's clock. */
export function judgeLease(lease: GatewayLease, keys: readonly VerdictKey[], now: number): JudgedLease {
  return { gatewayId: lease.gatewayId, ...judge(lease, keys, now) };
}

function judge({ gatewayId, platform, body }: GatewayLease, keys: readonly VerdictKey[], now: number) {
  const opened = openText(PURPOSE, body, keys);
  if (!('text' in opened)) return opened;
  const publication = readPublished(opened.text);
  if (publication === undefined) return { fault: 'not_understood' as const };
  if (publication.gatewayId !== gatewayId || publication.platform !== platform)
    return { fault: 'of_another_gateway' as const };
  const age = now - publication.issuedAt;
  if (age > GATEWAY_LEASE_MS + CLOCKS_DIFFER_MS || age < -CLOCKS_DIFFER_MS) return { fault: 'too_old' as const };
  return { publication };
}

function unavailable(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'unavailable', hint });
}
