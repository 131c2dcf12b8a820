import type { CallFacts, Gate } from '../core/ports/gate.ts';
import type { SubAgent } from '../core/sub-agent.ts';
import type { LifecycleFrame, ObserveFrame } from '../core/wire/frames.ts';

/** Tool calls whose facts are kept: far more than an agent has under way. */
const MOST_OBSERVED = 1_024;

/** The gate as the socket reaches it: with the facts that the agent's hooks told before each call. */
export class GateDesk {
  readonly gate: Gate;
  readonly #sessionId: string;
  /** By tool-use id, oldest first. */
  readonly #observed = new Map<string, ObserveFrame>();
  #turnId: string | undefined;

  constructor(gate: Gate, sessionId: string) {
    this.gate = gate;
    this.#sessionId = sessionId;
  }

  /** The first word counts: a later one about the same call comes from inside the agent's tree. */
  observe(frame: ObserveFrame): void {
    if (this.#observed.has(frame.toolUseId)) return;
    this.#observed.set(frame.toolUseId, frame);
    const [oldest] = this.#observed.keys();
    if (this.#observed.size > MOST_OBSERVED && oldest !== undefined) this.#observed.delete(oldest);
  }

  /** Nothing observed: the working directory is unknown, so that nothing lasting can be allowed. */
  factsOf(toolUseId: string | undefined): CallFacts {
    const seen = toolUseId === undefined ? undefined : this.#observed.get(toolUseId);
    if (seen === undefined) return { cwd: null, sessionId: this.#sessionId };
    const { cwd, sessionId = this.#sessionId, turnId, agentId, agentType } = seen;
    return {
      cwd,
      sessionId,
      ...(turnId === undefined ? {} : { turnId }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(agentType === undefined ? {} : { agentType }),
    };
  }

  /** The sub-agent that makes a call, where the hooks named one. */
  subAgentOf(toolUseId: string | undefined): SubAgent | undefined {
    const { agentId, agentType } = this.factsOf(toolUseId);
    return agentId === undefined ? undefined : { id: agentId, type: agentType ?? 'agent' };
  }

  /** A turn also ends with the beginning of the next one: one that was interrupted tells no end. */
  async lifecycle(frame: LifecycleFrame): Promise<void> {
    switch (frame.event) {
      case 'turn_began': {
        const before = this.#turnId;
        this.#turnId = frame.turnId;
        if (before !== undefined && before !== frame.turnId) await this.gate.turnEnded(before);
        return;
      }
      case 'turn_ended':
        return this.gate.turnEnded(frame.turnId);
      case 'session_ended':
        return this.gate.sessionEnded(frame.sessionId);
    }
  }
}
