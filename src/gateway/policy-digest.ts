import type { Config } from '../config/schema.ts';
import { digestOf } from '../trust/digest.ts';

/**
 * Names the rules by which people may decide, for the audit: bindings with their operators and approvers, linked people,
 * the gate, the pinned keys. Another digest at the next start means that somebody changed them. No channel or name can be
 * read out of it.
 */
export function policyDigest({ bindings, people, gate, trust }: Config): string {
  return digestOf({ bindings, people, gate, trust });
}
