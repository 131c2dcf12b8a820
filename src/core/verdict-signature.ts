/** A gateway's signature of a verdict, as it is stored with it (architecture.md invariant 10). */
export interface VerdictSignature {
  /** Short hash of the public key that verifies it. */
  readonly keyId: string;
  /** Digests of what the gateway judged the click by: the questions, or the action that was proposed; and the card. */
  readonly batch?: string;
  readonly action?: string;
  readonly view: string;
  /** When it was signed: milliseconds since the epoch by the store's clock as the gateway knew it. */
  readonly at: number;
  /** Ed25519, base64url. */
  readonly value: string;
}

/**
 * Why an owner does not believe what is recorded as a verdict. `unreadable`: it is none at all, or does not fit the
 * record · `not_offered`: it is no answer to what was asked · `unsigned` · `unknown_key`: not one of the pinned ones ·
 * `bad_signature`: not of this decision on this request · `batch_differs`, `action_differs`, `view_differs`: signed by a
 * gateway that saw another question, action or card · `too_few_people`: it takes more different people than it names. Codes
 * of the audit, too.
 */
export const VERDICT_FAULTS = [
  'unreadable',
  'not_offered',
  'unsigned',
  'unknown_key',
  'bad_signature',
  'batch_differs',
  'action_differs',
  'view_differs',
  'too_few_people',
] as const;

export type VerdictFault = (typeof VERDICT_FAULTS)[number];

/** A public key as text. The private one begins with `hrsk1_`; both hold 32 bytes as base64url. */
export const VERDICT_KEY_SHAPE = /^hrvk1_[A-Za-z0-9_-]{43}$/;
export const SIGNING_KEY_SHAPE = /^hrsk1_[A-Za-z0-9_-]{43}$/;
