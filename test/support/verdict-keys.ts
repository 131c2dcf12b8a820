import type { Config } from '../../src/config/schema.ts';
import type { Claim, RequestStore } from '../../src/core/ports/request-store.ts';
import { newSigningKey, readVerdictKey, type SigningKey } from '../../src/trust/keys.ts';
import { createVerdictSigner, createVerdictVerifier } from '../../src/trust/verdicts.ts';
import { type StoreInMemory, storeInMemory } from './memory-store.ts';

const made = newSigningKey();

/** The pair of every gateway and owner in tests that care for no other. */
export const GATEWAY_KEY: SigningKey = made.key;
export const VERDICT_KEYS: readonly string[] = [made.key.verdictKey];

/** What an owner over Redis has to be configured with. */
export const OWNER_CONFIG: Config = {
  bindings: [],
  slack: {},
  trust: { verdictKeys: VERDICT_KEYS },
  origins: new Map(),
};

/** For processes: what a gateway needs over Redis, and what `run` and `ask` need. */
export const SIGNING_ENV = { HANDRAISE_SIGNING_KEY: made.text } as const;
export const PINNING_ENV = { HANDRAISE_VERDICT_KEYS: made.key.verdictKey } as const;

export const sign = createVerdictSigner(made.key);
export const verify = createVerdictVerifier([readVerdictKey(made.key.verdictKey)]);

/** A claim as a gateway makes it: signed on the record as it is. */
export async function claimSigned(store: RequestStore, requestId: string, claim: Claim, signs = sign) {
  const record = await store.read(requestId);
  if (record === undefined) return store.claim(requestId, claim);
  return store.claim(requestId, { ...claim, signature: signs(record, claim, 0) });
}

/** A memory store whose every claim is a gateway's. */
export function gatewaysStoreInMemory(): StoreInMemory {
  const inMemory = storeInMemory();
  const { store } = inMemory;
  return Object.assign(inMemory, { store: { ...store, claim: claimSigned.bind(undefined, store) } });
}
