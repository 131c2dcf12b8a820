import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { agentEnvironment } from '../agents/environment.ts';
import { integrationFor } from '../agents/integrations.ts';
import { bridgeCommand } from '../bridge/command.ts';
import { loadConfig } from '../config/load.ts';
import { systemClock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import { newRandomId } from '../core/ids.ts';
import type { AgentIntegration } from '../core/ports/agent-integration.ts';
import type { Logger } from '../core/ports/logger.ts';
import { type Listener, startListener } from '../listener/listener.ts';
import { runAgent } from './agent-process.ts';
import { exitCodeOfSignal } from './exit-codes.ts';
import { askableBinding, type Owner, openOwner } from './owner.ts';
import { type SessionOptions, thisSession } from './session.ts';
import { type Signals, watchSignals } from './signals.ts';

export interface RunOptions extends SessionOptions {
  readonly agent?: string;
}

/** How long handraise outlives the agent to settle its cards, in ms (product.md "Command line"). */
const OUTLIVES_MS = 3_000;

/**
 * `handraise run -- <agent…>`: starts the agent with somebody to ask, if the configuration names somebody, and ends with
 * its exit code. Standard output and error are the agent's alone; what goes wrong on our side meanwhile is logged.
 */
export async function run(commandLine: readonly string[], options: RunOptions): Promise<number> {
  const signals = watchSignals();
  try {
    const integration = integrationFor(commandLine[0] ?? '', options.agent);
    const config = await loadConfig({ flags: { config: options.config }, env: process.env });
    const session = await thisSession(integration.name, options);
    if (options.script === undefined && askableBinding({ config, session }) === undefined) {
      const agent = await integration.prepare(commandLine, undefined);
      return await runAgent(agent, agentEnvironment(process.env), signals);
    }
    const opening = openOwner({ ...options, config, session });
    const early = await Promise.race([signals.first, opening]);
    if (typeof early === 'string') {
      await stoppedWithin(
        OUTLIVES_MS,
        opening.then((owner) => owner.stop(OUTLIVES_MS)),
      );
      return exitCodeOfSignal(early);
    }
    return await runAttached(commandLine, integration, early, signals);
  } finally {
    signals.stop();
  }
}

async function runAttached(
  commandLine: readonly string[],
  integration: AgentIntegration,
  owner: Owner,
  signals: Signals,
): Promise<number> {
  const stopReporting = logUnexpected(owner.log);
  let listener: Listener | undefined;
  let directory: string | undefined;
  try {
    listener = await startListener({
      prompter: owner.prompter,
      clock: systemClock,
      newId: newRandomId,
      log: owner.log,
    });
    directory = mkdtempSync(join(owner.directory, 'agent-'));
    const { socketPath } = listener;
    const agent = await integration.prepare(commandLine, { socketPath, bridge: bridgeCommand(), directory });
    return await runAgent(agent, agentEnvironment(process.env), signals);
  } finally {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    if (!(await stoppedWithin(OUTLIVES_MS, close(listener, owner)))) {
      owner.log.warn({ withinMs: OUTLIVES_MS }, 'not everything was settled in time; the next run settles the rest');
    }
    stopReporting();
  }
}

/** The listener first: it ends every ask, and with its end the prompter and the gateway know what their cards must say. */
async function close(listener: Listener | undefined, owner: Owner): Promise<void> {
  const begun = Date.now();
  await listener?.close();
  await owner.stop(Math.max(0, OUTLIVES_MS - (Date.now() - begun)));
}

async function stoppedWithin(ms: number, work: Promise<void>): Promise<boolean> {
  // A failure to stop must not hide how the agent ended; whoever stops logs it.
  const ended = work.then(
    () => true,
    () => false,
  );
  return Promise.race([ended, delay(ms, false, { ref: false })]);
}

/**
 * A stray failure in a library must not end an agent's hour of work: it is logged, and whoever waits for an answer has a
 * deadline anyway.
 */
function logUnexpected(log: Logger): () => void {
  const report = (thrown: unknown) => {
    log.error(
      { error: sentenceOf(thrown), stack: thrown instanceof Error ? thrown.stack : undefined },
      'unexpected failure',
    );
  };
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  return () => {
    process.off('uncaughtException', report);
    process.off('unhandledRejection', report);
  };
}
