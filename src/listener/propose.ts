import { sentenceOf } from '../core/errors.ts';
import type { GateDecision } from '../core/ports/gate.ts';
import type { LifecycleFrame, ObserveFrame, ProposeFrame } from '../core/wire/frames.ts';
import { type AskDeps, type Channel, CONFIRMATION_MS, fateWithin, refuse, send } from './ask.ts';

/**
 * Serves one step that an agent wants to take: `text` of the outcome is the decision as its permission prompt takes it.
 * Whatever fails is an error frame or silence, which the bridge turns into a denial.
 */
export async function servePropose(frame: ProposeFrame, channel: Channel, deps: AskDeps): Promise<void> {
  const { id, tool, input, toolUseId } = frame;
  const { gate: desk } = deps;
  if (desk === undefined) return refuse(channel, { id, code: 'unavailable', text: 'This run has no gate.' });
  const call = deps.registry.open(channel, id, { mayReturn: false });
  if (call === undefined) {
    return refuse(channel, { id, code: 'duplicate_id', text: `A call with id "${id}" is still open.` });
  }
  try {
    const step = { tool, input, ...(toolUseId === undefined ? {} : { toolUseId }) };
    const decision = await desk.gate.check(step, desk.factsOf(toolUseId), { signal: call.signal });
    if (!call.signal.aborted) {
      send(channel, {
        v: 1,
        kind: 'outcome',
        id,
        outcome: decision.behavior,
        text: JSON.stringify(replyOf(decision)),
        isError: false,
      });
      call.offer();
    }
    const fate = await fateWithin(CONFIRMATION_MS, call, deps.clock);
    try {
      if (fate.delivered) await decision.delivered();
      else await decision.lost(fate.why);
    } catch (thrown) {
      // The agent has what it gets; only the record is behind.
      deps.log.error({ tool, error: sentenceOf(thrown) }, 'recording what became of a step failed');
    }
  } finally {
    deps.registry.end(channel, id);
  }
}

/** Exactly what was judged goes back as the input: nothing else may run. */
function replyOf(decision: GateDecision): object {
  return decision.behavior === 'allow'
    ? { behavior: 'allow', updatedInput: decision.input }
    : { behavior: 'deny', message: decision.message };
}

export function serveObserve(frame: ObserveFrame, channel: Channel, { gate }: AskDeps): void {
  gate?.observe(frame);
  send(channel, { v: 1, kind: 'noted', id: frame.id });
}

export async function serveLifecycle(frame: LifecycleFrame, channel: Channel, { gate }: AskDeps): Promise<void> {
  await gate?.lifecycle(frame);
  send(channel, { v: 1, kind: 'noted', id: frame.id });
}
