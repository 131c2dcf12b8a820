import { join } from 'node:path';
import { askableBinding } from '../config/binding.ts';
import { DEFAULT_GATE_CONFIG, type GateConfig } from '../config/gate.ts';
import type { Config } from '../config/schema.ts';
import { stateDirectory } from '../config/state-dir.ts';
import { systemClock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import type { Gate } from '../core/ports/gate.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import type { Redactor } from '../core/redact/redactor.ts';
import type { SessionFacts } from '../core/request.ts';
import { createVouch } from '../gate/grants/vouch.ts';
import { policyDigest } from '../gateway/policy-digest.ts';
import { openAuditFile } from '../observe/audit-file.ts';
import { openEvents } from '../observe/events.ts';
import { openLog } from '../observe/log.ts';
import { observed } from '../observe/observed-prompter.ts';
import { headlessPrompter } from '../prompt/headless.ts';
import { JoinedAsks } from '../prompt/joined-asks.ts';
import { scriptedPrompter } from '../prompt/scripted.ts';
import { createMemoryGrants } from '../store/memory-grants.ts';
import { processRedactor } from './redaction.ts';
import { type GateGround, openWriteGate } from './write-gate.ts';

/** What `run`, `ask` and the library share: a prompter that joins calls and tells events, and the session's files. */
export interface Owner {
  readonly prompter: Prompter;
  /** Judges the steps of this owner's agents. */
  readonly gate: Gate;
  /** Whether it stands in the way of anything. */
  readonly writes: GateConfig['writes'];
  readonly log: Logger;
  /** The session's own directory, 0700, beneath the state directory. */
  readonly directory: string;
  /** Nobody can be asked from here: an agent is not offered the tool then. */
  readonly headless: boolean;
  /** Settles what is open within `graceMs` and closes everything. Every ask must have ended before. */
  stop(graceMs: number): Promise<void>;
}

export interface OwnerOptions {
  readonly config: Config;
  readonly session: SessionFacts;
  readonly script?: string | undefined;
  readonly events?: string | undefined;
  readonly verbose?: boolean | undefined;
  /** Says where state is kept. Default: this process’s own. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/**
 * Opens the session's files and the way to people: the script, else the chat that is bound, else nobody. Throws what
 * `startEmbedded` throws when a binding matches and cannot be used; nothing is left open then.
 */
export async function openOwner(options: OwnerOptions): Promise<Owner> {
  const { session, verbose = false, env = process.env } = options;
  const state = stateDirectory(env);
  const directory = join(state, session.sessionId);
  const redactor = processRedactor(options.config, env);
  const mask = redactor.text;
  const level = verbose ? 'debug' : 'info';
  const log = openLog({ file: join(directory, 'handraise.log'), stderr: verbose, level, mask });
  const eventFile = options.events ?? join(directory, 'events.jsonl');
  const events = openEvents(eventFile, { sessionId: session.sessionId, log, mask });
  const closeFiles = () => {
    events.close();
    log.close();
  };
  try {
    const { prompter, stop, headless, ground } = await openPrompter(options, state, log, redactor);
    const inner = observed(prompter, events, systemClock, { mask });
    const joined = new JoinedAsks({ inner, clock: systemClock, log });
    const about = { prompter: joined, workspace: session.workspace, events, log };
    const gate = openWriteGate(ground, about);
    return {
      prompter: joined,
      gate,
      writes: ground.config?.writes ?? DEFAULT_GATE_CONFIG.writes,
      log,
      directory,
      headless,
      async stop(graceMs) {
        await gate.stop();
        await joined.stop();
        await stop(graceMs);
        closeFiles();
      },
    };
  } catch (thrown) {
    closeFiles();
    throw thrown;
  }
}

async function openPrompter(
  options: OwnerOptions,
  state: string,
  log: Logger,
  redactor: Redactor,
): Promise<{ prompter: Prompter; headless: boolean; ground: GateGround; stop(graceMs: number): Promise<void> }> {
  const { config, session, script } = options;
  const common = { session, clock: systemClock, newId: newRandomId, log, redactor };
  // No other process has grants in this one's memory.
  const vouch = async () => false;
  if (script !== undefined) {
    const own = await openOwnGrants(config, state, log);
    const ground = { ...own, vouch, config: config.gate };
    return { prompter: await scriptedPrompter(script), headless: false, ground, stop: own.stop };
  }
  const nobody = async () => {
    const own = await openOwnGrants(config, state, log);
    return {
      prompter: headlessPrompter,
      headless: true,
      ground: { ...own, vouch, config: config.gate },
      stop: own.stop,
    };
  };
  if (config.redis !== undefined) {
    const { openSharedOwner } = await import('../gateway/shared-owner.ts');
    const owner = await openSharedOwner({ ...common, config, redisUrl: config.redis.url });
    if (owner === undefined) return nobody();
    const { prompter, stop, grants, ownerId, clock, gate, requests, verify } = owner;
    const vouch = createVouch(requests, verify);
    return { prompter, stop, headless: false, ground: { grants, vouch, ownerId, outlived: true, clock, config: gate } };
  }
  const binding = askableBinding(config.bindings, session);
  if (binding === undefined) return nobody();
  // Only now: loading Slack costs a headless run 0.2 s and 70 MB for nothing.
  const { startEmbedded } = await import('../gateway/embedded.ts');
  const { prompter, stop, grants, ownerId } = await startEmbedded({
    ...common,
    config,
    binding,
    stateDirectory: state,
  });
  const ground = { grants, vouch, ownerId, outlived: false, clock: systemClock, config: config.gate };
  return { prompter, stop, headless: false, ground };
}

/** Grants of a run with no chat: an agent may use what a script allows. */
async function openOwnGrants(config: Config, state: string, log: Logger) {
  const ownerId = newRandomId();
  const audit = openAuditFile(join(state, 'audit', `${ownerId}.jsonl`), {
    policy: policyDigest(config),
    ...config.audit,
  });
  const grants = createMemoryGrants({ clock: systemClock, audit, log });
  return { grants, ownerId, outlived: false, clock: systemClock, stop: async () => audit.close() };
}
