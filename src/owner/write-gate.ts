import { DEFAULT_GATE_CONFIG, type GateConfig } from '../config/gate.ts';
import type { Clock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import type { Gate } from '../core/ports/gate.ts';
import type { GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import { WriteGate } from '../gate/gate.ts';
import type { Vouch } from '../gate/grants/vouch.ts';
import { PlanApproval } from '../gate/plan-approval.ts';
import { DEFAULT_GATE, type GateSettings } from '../gate/settings.ts';
import type { GateEvents } from '../gate/told.ts';
import { createToolClassifier } from '../gate/tool-effects.ts';

/** Where grants live, and what is known about them there. */
export interface GateGround {
  readonly grants: GrantStore;
  readonly vouch: Vouch;
  readonly ownerId: string;
  /** Whether the store outlives this process. */
  readonly outlived: boolean;
  readonly clock: Clock;
  readonly config: GateConfig | undefined;
}

/** The gate of one owner, over where its grants live. */
export function openWriteGate(
  { config, ...ground }: GateGround,
  about: {
    readonly prompter: Prompter;
    readonly workspace: string;
    readonly events: GateEvents;
    readonly log: Logger;
  },
): Gate {
  const settings = settingsOf(config, ground.outlived);
  const classify = createToolClassifier(settings, about.workspace);
  return new PlanApproval(new WriteGate({ ...ground, ...about, classify, settings, newId: newRandomId }), about);
}

/** A session is the agent's own: over a store that outlives this process it may be resumed, else the run is all there is. */
function settingsOf(config: GateConfig = DEFAULT_GATE_CONFIG, outlived: boolean): GateSettings {
  const { sessionGrant, ...said } = config;
  const words = { ...DEFAULT_GATE.words, session: outlived ? 'this session' : 'this run' };
  return { ...DEFAULT_GATE, ...said, sessionGrantMs: sessionGrant, words };
}
