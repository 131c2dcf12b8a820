import type { Classification } from './effects/classify.ts';

/** What the gate does with a step at its default settings: run it, ask people, or refuse without asking. */
export type GateVerdict = 'allow' | 'ask' | 'deny';

/**
 * Reads run; what may hold a secret is asked about, and so is everything else. What names handraise's own is refused:
 * nobody should be asked whether an agent may answer itself.
 */
export function gateVerdict({ effect, tags }: Classification): GateVerdict {
  if (tags.includes('names-handraise')) return 'deny';
  return effect === 'read' && !tags.includes('secret-read') ? 'allow' : 'ask';
}
