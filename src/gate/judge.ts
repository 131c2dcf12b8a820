import { canonicalJson } from '../core/canonical-json.ts';
import type { CallFacts, ToolCall } from '../core/ports/gate.ts';
import { type ActionDigest, actionDigest } from './digest/action-digest.ts';
import type { ClassifyCall, GatedStep } from './gated-step.ts';
import type { GateSettings } from './settings.ts';

/** UTF-8 bytes of a tool's input that a person could still review (product.md "Cards"). */
const MOST_BYTES = 512 * 1_024;

/** A call, taken at its word: what is run later is this copy, whatever becomes of the host's. */
export function takenCall(call: ToolCall): ToolCall {
  const input = structuredClone(call.input);
  // Throws for what JSON cannot say: it would be digested and shown as something else.
  canonicalJson(input);
  return { ...call, input };
}

export function isTooLarge({ input }: ToolCall): boolean {
  return Buffer.byteLength(JSON.stringify(input) ?? '') > MOST_BYTES;
}

/** What the gate would do with a step at these settings, before anybody is asked or anything is looked up. */
type FirstVerdict = 'run' | 'run_untold' | 'gate' | 'names_handraise' | 'secret';

/** `run_untold`: there is no gate at these settings. `step` loses the mark of a secret that may be read freely. */
function firstVerdict(judged: GatedStep, settings: GateSettings): { verdict: FirstVerdict; step: GatedStep } {
  const isFree = settings.secretReads === 'allow';
  const step = isFree ? { ...judged, tags: judged.tags.filter((tag) => tag !== 'secret-read') } : judged;
  if (step.tags.includes('names-handraise')) return { verdict: 'names_handraise', step };
  const isSecret = step.tags.includes('secret-read');
  if (step.effect === 'read' && !isSecret && step.asked !== true) return { verdict: 'run', step };
  if (settings.writes === 'open') return { verdict: 'run_untold', step };
  if (isSecret && settings.secretReads === 'deny') return { verdict: 'secret', step };
  return { verdict: 'gate', step };
}

/** A step with the digest of what it would do now. */
export interface Judged {
  readonly call: ToolCall;
  readonly facts: CallFacts;
  readonly step: GatedStep;
  readonly action: ActionDigest;
}

/** Judges and digests anew: called for the card, and again right before the step runs. */
export function createJudge(classify: ClassifyCall, settings: GateSettings) {
  const classified = async (call: ToolCall, facts: CallFacts) => firstVerdict(await classify(call, facts), settings);
  const digested = async (call: ToolCall, facts: CallFacts, step: GatedStep, salt: string): Promise<Judged> => {
    const { tool, input } = call;
    const targets = step.targets.map(({ path }) => path);
    const action = await actionDigest({ tool, input, cwd: facts.cwd, effect: step.effect, targets }, salt);
    return { call, facts, step, action };
  };
  return {
    classified,
    digested,
    /** Whether what would run is still what was judged. */
    async isSame({ call, facts, action }: Judged, salt: string): Promise<boolean> {
      const { step } = await classified(call, facts);
      return (await digested(call, facts, step, salt)).action.digest === action.digest;
    },
  };
}
export type Judge = ReturnType<typeof createJudge>;
