import * as z from 'zod';
import type { SigningKey, VerdictKey } from './keys.ts';

/** A text with its signature, as JSON. The text travels as it was signed, so that it has one form only. */
const envelope = z.strictObject({ v: z.literal(2), text: z.string(), keyId: z.string(), signature: z.string() });

/** `purpose` keeps signatures of one kind from being taken for another's; it holds no line feed. */
export function signText(purpose: string, text: string, key: SigningKey): string {
  return JSON.stringify({ v: 2, text, keyId: key.keyId, signature: key.sign(`${purpose}\n${text}`) });
}

export type Opened =
  | { readonly text: string }
  /** `keyId` as it is claimed, where it is not a pinned one. */
  | { readonly fault: 'not_understood' | 'unknown_key' | 'bad_signature'; readonly keyId?: string };

/** The text, if one of the keys verifies it. */
export function openText(purpose: string, sealed: string, keys: readonly VerdictKey[]): Opened {
  const read = envelope.safeParse(parsed(sealed));
  if (!read.success) return { fault: 'not_understood' };
  const { text, keyId, signature } = read.data;
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) return { fault: 'unknown_key', keyId };
  return key.verifies(`${purpose}\n${text}`, signature) ? { text } : { fault: 'bad_signature' };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The caller says that it is not understood.
    return undefined;
  }
}
