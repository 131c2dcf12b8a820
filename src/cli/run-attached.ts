import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentEnvironment } from '../agents/environment.ts';
import { gitWithoutHelpers } from '../agents/git-environment.ts';
import { bridgeCommand, hookCommand } from '../bridge/command.ts';
import { systemClock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import type { AgentIntegration } from '../core/ports/agent-integration.ts';
import { type Listener, startListener } from '../listener/listener.ts';
import { endsWithin, OUTLIVES_MS } from '../owner/ending.ts';
import type { Owner, OwnerOptions } from '../owner/owner.ts';
import { runAgent } from './agent-process.ts';
import { exitCodeOfSignal } from './exit-codes.ts';
import { openUnlessStopped } from './opening.ts';
import type { Signals } from './signals.ts';
import type { StrayFailures } from './stray-failures.ts';

/** What `run` has found out before. */
export interface AttachedRun {
  readonly commandLine: readonly string[];
  readonly integration: AgentIntegration;
  readonly owner: OwnerOptions;
  readonly signals: Signals;
  readonly stray: StrayFailures;
}

/** Runs the agent with somebody to ask: way to people → socket → agent, and back. Returns its exit code. */
export async function runAttached({
  commandLine,
  integration,
  owner: options,
  signals,
  stray,
}: AttachedRun): Promise<number> {
  const owner = await openUnlessStopped(options, signals, stray);
  if (typeof owner === 'string') return exitCodeOfSignal(owner);
  const { prompter, log } = owner;
  let listener: Listener | undefined;
  let directory: string | undefined;
  try {
    // Only a gateway could tell that.
    if (owner.headless) log.info({}, 'no binding lets this run ask; it is headless');
    const asks = !owner.headless;
    const gated = integration.gated && owner.writes === 'read_only';
    if (!asks && !gated) {
      const agent = await integration.prepare(commandLine, undefined);
      return await runAgent(agent, agentEnvironment(process.env), signals);
    }
    const { sessionId } = options.session;
    const gate = gated ? { gate: { gate: owner.gate, sessionId } } : {};
    listener = await startListener({ prompter, ...gate, clock: systemClock, newId: newRandomId, log });
    directory = mkdtempSync(join(owner.directory, 'agent-'));
    const { socketPath } = listener;
    const agent = await integration.prepare(commandLine, {
      asks,
      ...(gated ? { gate: { hook: hookCommand() } } : {}),
      socketPath,
      bridge: bridgeCommand(),
      directory,
    });
    return await runAgent(agent, agentOf(process.env, gated), signals);
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    if (!(await endsWithin(OUTLIVES_MS, close(listener, owner)))) {
      log.warn({ withinMs: OUTLIVES_MS }, 'not everything was settled in time; the next run settles the rest');
    }
  }
}

/** An agent that is gated runs git without the helpers that git could start by itself. */
function agentOf(env: NodeJS.ProcessEnv, gated: boolean): Record<string, string> {
  const kept = agentEnvironment(env);
  return gated ? { ...kept, ...gitWithoutHelpers(kept) } : kept;
}

/** The listener first: it ends every ask, and with its end the prompter and the gateway know what their cards must say. */
async function close(listener: Listener | undefined, owner: Owner): Promise<void> {
  const begun = systemClock.now();
  await listener?.close();
  await owner.stop(Math.max(0, OUTLIVES_MS - (systemClock.now() - begun)));
}
