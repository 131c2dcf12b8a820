import { basename } from 'node:path';
import { type Actor, sourceOf } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import type { NewId } from '../core/ids.ts';
import type { CallFacts, Delivery, GateDecision, GateEvent, ToolCall } from '../core/ports/gate.ts';
import type { Scope } from '../core/proposals/contract.ts';
import type { Denial } from './denials.ts';
import type { GatedStep } from './gated-step.ts';

/** Where events go. `emit` never throws. */
export interface GateEvents {
  emit(event: GateEvent): void;
}

/** What a decision came from, for its event. */
export interface Basis {
  readonly requestId?: string | undefined;
  readonly digest?: string | undefined;
  readonly actor?: Actor | undefined;
  /** What happens besides once the agent has the decision, or is known not to get it. */
  readonly delivery?: Delivery | undefined;
}

/** One call on its way: makes its decision, and its one event when the agent has it. */
export class ToldCall {
  readonly #clock: Clock;
  readonly #events: GateEvents;
  readonly #begun: number;
  readonly #facts: Pick<GateEvent, 'id' | 'state' | 'sub_agent'>;
  #action: string;
  #effect: GateEvent['effect'] = 'unknown';
  #told = false;

  constructor(deps: { clock: Clock; events: GateEvents; newId: NewId }, call: ToolCall, facts: CallFacts) {
    const { agentId: id, agentType: type } = facts;
    this.#clock = deps.clock;
    this.#events = deps.events;
    this.#begun = deps.clock.now();
    this.#action = call.tool;
    this.#facts = {
      id: deps.newId(),
      state: facts.state ?? (type === undefined ? 'main' : `main/${type}`),
      ...(id === undefined ? {} : { sub_agent: { id, type: type ?? 'agent' } }),
    };
  }

  /** From here on the event says what the step would do. */
  about(call: ToolCall, step: GatedStep): void {
    this.#effect = step.effect;
    this.#action = actionOf(call, step);
  }

  /** Runs without having been gated: nothing is told. */
  plain(call: ToolCall): GateDecision {
    return { behavior: 'allow', input: call.input, delivered: nothing, lost: nothing };
  }

  allow(
    call: ToolCall,
    by: 'operator' | 'active_scope' | 'policy',
    scope: Scope | undefined,
    basis: Basis = {},
  ): GateDecision {
    return {
      behavior: 'allow',
      input: call.input,
      delivered: async () => {
        this.#tell({ granted: true, outcome: 'granted', by, ...(scope === undefined ? {} : { scope }) }, basis);
        await basis.delivery?.delivered();
      },
      lost: async (why) => {
        // Nobody knows whether it ran: it is not told as allowed.
        this.#tell({ granted: false, outcome: 'indeterminate', by: 'system' }, basis);
        await basis.delivery?.lost(why);
      },
    };
  }

  deny({ kind, message, by }: Denial, basis: Basis = {}): GateDecision {
    const tell = () => this.#tell({ granted: false, outcome: kind, by }, basis);
    return {
      behavior: 'deny',
      kind,
      message,
      delivered: async () => {
        tell();
        await basis.delivery?.delivered();
      },
      lost: async (why) => {
        tell();
        await basis.delivery?.lost(why);
      },
    };
  }

  #tell(decided: Pick<GateEvent, 'granted' | 'outcome' | 'by' | 'scope'>, { requestId, digest, actor }: Basis): void {
    if (this.#told) return;
    this.#told = true;
    const at = this.#clock.now();
    this.#events.emit({
      event: 'machine.write_mode_granted',
      at,
      headers: ['write mode'],
      ...this.#facts,
      action: this.#action,
      effect: this.#effect,
      ...decided,
      ...(actor === undefined ? {} : { who: whoIs(actor), surface: sourceOf(actor) }),
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(digest === undefined ? {} : { digest }),
      duration_ms: at - this.#begun,
    });
  }
}

async function nothing(): Promise<void> {}

function whoIs({ platform, workspaceId, userId }: Actor): NonNullable<GateEvent['who']> {
  return { platform, workspaceId, userId };
}

/** Names and paths only: a command's words may hold anything. */
function actionOf({ tool, input }: ToolCall, { programs, targets }: GatedStep): string {
  const [target] = targets;
  if (tool !== 'Bash' && target !== undefined) return `${tool}: ${target.path}`;
  const names = [...new Set(programs.map(({ name }) => name))];
  if (names.length > 0) return `${tool}: ${names.join(', ')}`;
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : undefined;
  const [first] = typeof command === 'string' ? (/^[\w./+-]+(?=\s|$)/.exec(command) ?? []) : [];
  return first === undefined ? tool : `${tool}: ${basename(first)}`;
}
