import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/core/clock.ts';
import { newRandomId } from '../../src/core/ids.ts';
import type { OperatorRule } from '../../src/core/policy/people.ts';
import type { GrantStore } from '../../src/core/ports/grant-store.ts';
import type { RequestStore } from '../../src/core/ports/request-store.ts';
import { newControlPath } from '../../src/gateway/control/place.ts';
import { type ControlSocket, openControlSocket } from '../../src/gateway/control/server.ts';
import { createDecider, type Decider } from '../../src/gateway/decide.ts';
import { recordingLog } from './recording-log.ts';
import { sign } from './verdict-keys.ts';

export interface ControlStage extends AsyncDisposable {
  readonly control: ControlSocket;
  readonly decider: Decider;
  readonly stateDirectory: string;
  readonly log: ReturnType<typeof recordingLog>;
  /** Requests that were claimed, in that order. */
  readonly claimed: readonly string[];
  /** Requests whose cards were to be drawn anew. */
  readonly redrawn: readonly string[];
}

/** The real control socket and the real decider over a store; nobody posts cards. */
export async function openControlStage(options: {
  readonly store: RequestStore;
  readonly clock: Clock;
  /** Null: no binding matches. */
  readonly operators?: OperatorRule | null;
  /** Nobody, by default. */
  readonly approvers?: OperatorRule;
  readonly grants?: GrantStore;
}): Promise<ControlStage> {
  const { store, clock, operators = '*', approvers = {}, grants } = options;
  const redrawn: string[] = [];
  const stateDirectory = mkdtempSync(join(tmpdir(), 'hr-control-'));
  const log = recordingLog();
  const claimed: string[] = [];
  const decider = createDecider({
    store,
    adapters: [],
    sign,
    clock,
    log,
    route: () => (operators === null ? undefined : { places: [], operators, approvers }),
    onClaimed: (requestId) => claimed.push(requestId),
    onCard: () => undefined,
  });
  const control = await openControlSocket(newControlPath(stateDirectory), {
    store,
    decider,
    ...(grants === undefined ? {} : { grants: { kept: grants, redraw: (id: string) => redrawn.push(id) } }),
    clock,
    newId: newRandomId,
    log,
  });
  return {
    redrawn,
    control,
    decider,
    stateDirectory,
    log,
    claimed,
    async [Symbol.asyncDispose]() {
      await control.close();
      rmSync(stateDirectory, { recursive: true, force: true });
    },
  };
}
