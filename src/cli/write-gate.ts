import { DEFAULT_GATE_CONFIG, type GateConfig } from '../config/gate.ts';
import type { Clock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import type { Gate } from '../core/ports/gate.ts';
import type { GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import { WriteGate } from '../gate/gate.ts';
import type { Vouch } from '../gate/grants/vouch.ts';
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
    readonly prompter: Pick<Prompter, 'propose'>;
    readonly workspace: string;
    readonly events: GateEvents;
    readonly log: Logger;
  },
): Gate {
  const settings = settingsOf(config);
  const classify = createToolClassifier(settings, about.workspace);
  return new WriteGate({ ...ground, ...about, classify, settings, newId: newRandomId });
}

function settingsOf(config: GateConfig = DEFAULT_GATE_CONFIG): GateSettings {
  const { sessionGrant, ...said } = config;
  return { ...DEFAULT_GATE, ...said, sessionGrantMs: sessionGrant };
}
