import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { agentEnvironment } from '../agents/environment.ts';
import { integrationFor } from '../agents/integrations.ts';
import { bridgeCommand } from '../bridge/command.ts';
import { loadConfig } from '../config/load.ts';
import { systemClock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import type { AgentIntegration } from '../core/ports/agent-integration.ts';
import { type Listener, startListener } from '../listener/listener.ts';
import { runAgent } from './agent-process.ts';
import { exitCodeOfSignal } from './exit-codes.ts';
import { endsWithin, OUTLIVES_MS, openUnlessStopped } from './opening.ts';
import { askableBinding, type Owner } from './owner.ts';
import { type SessionOptions, thisSession } from './session.ts';
import { type Signals, watchSignals } from './signals.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface RunOptions extends SessionOptions {
  readonly agent?: string;
}

/**
 * `handraise run -- <agent…>`: starts the agent with somebody to ask, if the configuration names somebody, and ends with
 * its exit code. Standard output and error are the agent's alone; what goes wrong on our side meanwhile is logged.
 */
export async function run(commandLine: readonly string[], options: RunOptions): Promise<number> {
  const signals = watchSignals();
  const stray = catchStrayFailures();
  try {
    const integration = integrationFor(commandLine[0] ?? '', options.agent);
    const config = await loadConfig({ flags: { config: options.config }, env: process.env });
    const session = await thisSession(integration.name, options);
    if (options.script === undefined && askableBinding({ config, session }) === undefined) {
      // There is no log to keep a stray failure in, and nothing of ours runs that could fail: Node's own way will do.
      stray.stop();
      if (options.verbose === true) process.stderr.write('handraise: no binding lets this run ask; it is headless\n');
      const agent = await integration.prepare(commandLine, undefined);
      return await runAgent(agent, agentEnvironment(process.env), signals);
    }
    const owner = await openUnlessStopped({ ...options, config, session }, signals, stray);
    if (typeof owner === 'string') return exitCodeOfSignal(owner);
    return await runAttached(commandLine, integration, owner, signals);
  } finally {
    stray.stop();
    signals.stop();
  }
}

async function runAttached(
  commandLine: readonly string[],
  integration: AgentIntegration,
  owner: Owner,
  signals: Signals,
): Promise<number> {
  const { prompter, log } = owner;
  let listener: Listener | undefined;
  let directory: string | undefined;
  try {
    listener = await startListener({ prompter, clock: systemClock, newId: newRandomId, log });
    directory = mkdtempSync(join(owner.directory, 'agent-'));
    const { socketPath } = listener;
    const agent = await integration.prepare(commandLine, { socketPath, bridge: bridgeCommand(), directory });
    return await runAgent(agent, agentEnvironment(process.env), signals);
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    if (!(await endsWithin(OUTLIVES_MS, close(listener, owner)))) {
      log.warn({ withinMs: OUTLIVES_MS }, 'not everything was settled in time; the next run settles the rest');
    }
  }
}

/** The listener first: it ends every ask, and with its end the prompter and the gateway know what their cards must say. */
async function close(listener: Listener | undefined, owner: Owner): Promise<void> {
  const begun = systemClock.now();
  await listener?.close();
  await owner.stop(Math.max(0, OUTLIVES_MS - (systemClock.now() - begun)));
}
