import { createHash } from 'node:crypto';
import { canonicalJson } from '../core/canonical-json.ts';

/** SHA-256 of the value's canonical JSON, base64url: the same for equal values, whoever wrote them down and how. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}
