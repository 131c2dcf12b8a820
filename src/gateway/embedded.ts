import { join } from 'node:path';
import { approvableBy, grantTerms } from '../config/grant-terms.ts';
import type { Binding, Config } from '../config/schema.ts';
import type { Platform } from '../core/actor.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { CardJournal } from '../core/ports/card-journal.ts';
import type { GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import type { SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { Redactor } from '../core/redact/redactor.ts';
import type { SessionFacts } from '../core/request.ts';
import { openAuditFile } from '../observe/audit-file.ts';
import { ChatPrompter } from '../prompt/chat-prompter.ts';
import { openCardJournal, readAbandonedCards, removeJournal } from '../store/card-journal-file.ts';
import { createMemoryStore } from '../store/memory.ts';
import { createMemoryGrants } from '../store/memory-grants.ts';
import { newSigningKey, readVerdictKey } from '../trust/keys.ts';
import { createVerdictSigner, createVerdictVerifier, createVoteTrust } from '../trust/verdicts.ts';
import { newControlPath } from './control/place.ts';
import { type ControlSocketDeps, openControlSocket } from './control/server.ts';
import { createGateway } from './gateway.ts';
import { createLaterActions } from './later-actions.ts';
import { checkPlace } from './places.ts';
import { policyDigest } from './policy-digest.ts';
import { settleAbandoned } from './recover.ts';
import { placesOf, routeBy, surfacesOf } from './surfaces.ts';
import { acquireTokenLock, nameOfToken } from './token-lock.ts';
import { Undo } from './undo.ts';

export interface EmbeddedOptions {
  readonly config: Config;
  readonly binding: Binding;
  readonly session: SessionFacts;
  /** `$XDG_STATE_HOME/handraise`: holds the audit and the card journal. */
  readonly stateDirectory: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  /** Masks what leaves the process. Default: one that knows no values and no commands. */
  readonly redactor?: Redactor;
  /** Stands between the gateway and Slack, to see what passes: `doctor` does. Default: nothing does. */
  readonly around?: (adapter: SurfaceAdapter) => SurfaceAdapter;
}

export interface Embedded {
  readonly prompter: Prompter;
  /** What people allowed in this run; it ends with the process. */
  readonly grants: GrantStore;
  readonly ownerId: string;
  /** Settles what is left within `graceMs`, disconnects, gives the token back. Every call must have ended before. */
  stop(graceMs: number): Promise<void>;
}

/**
 * The gateway inside the owner's process, over the memory store: what runs without Redis. Resolves once a card can be
 * posted and clicks can arrive. Throws `token_in_use` when another run on this host has a token, `configuration` when
 * one is missing, and what the adapter says when its platform cannot be reached or the channel cannot be posted to.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const {
    config,
    binding,
    session,
    stateDirectory,
    clock,
    newId,
    log,
    redactor,
    around = (adapter) => adapter,
  } = options;
  const places = placesOf(binding);
  const surfaces = await surfacesOf(config, [binding], { embedded: true, clock, log });
  const adapters = surfaces.map(({ adapter }) => adapter);
  const incarnation = newId();
  const undo = new Undo(log);
  try {
    for (const { adapter, botToken } of surfaces) {
      const lock = await acquireTokenLock(botToken.reveal(), undefined, adapter.platform);
      undo.add(() => lock.release());
    }
    const audit = openAuditFile(join(stateDirectory, 'audit', `${incarnation}.jsonl`), {
      clock,
      policy: policyDigest(config),
      ...config.audit,
    });
    undo.add(() => audit.close());
    const journals = surfaces.map(({ adapter, botToken }) => {
      const directory = join(stateDirectory, 'journal', nameOfToken(botToken.reveal()));
      const journal = openCardJournal(directory, incarnation);
      undo.add(() => journal.close());
      return { adapter, directory, journal };
    });
    const journal = journalByPlatform(new Map(journals.map((one) => [one.adapter.platform, one.journal])));
    const store = createMemoryStore({ clock, audit, journal, log });
    // Of this process alone: the same way as over Redis, with nothing to configure.
    const { key } = newSigningKey();
    const sign = createVerdictSigner(key);
    const ownKeys = [readVerdictKey(key.verdictKey)];
    const votes = createVoteTrust(key, ownKeys);
    const grants = createMemoryGrants({ clock, audit, log });
    const redraw = (requestId: string) => gateway.redraw(requestId);
    const later = createLaterActions({ grants, clock, redraw });
    const route = routeBy(config);
    const masking = redactor === undefined ? {} : { redactor };
    const gateway = createGateway({
      store,
      adapters: adapters.map(around),
      route,
      sign,
      votes,
      later,
      ...masking,
      clock,
      log,
    });
    await gateway.start();
    undo.add((graceMs) => gateway.stop(graceMs));
    for (const place of places) await checkPlace(place, adapters);
    const { decider } = gateway;
    const kept = { kept: grants, redraw };
    undo.add(await openOwnControl(stateDirectory, { store, decider, grants: kept, clock, newId, log }));
    const leaving = new AbortController();
    const recoveries = journals.map(({ adapter, directory }) =>
      settleEarlierRuns(directory, incarnation, adapter, log, leaving.signal),
    );
    undo.add(async () => {
      leaving.abort();
      await Promise.all(recoveries);
    });
    const prompter = await ChatPrompter.start({
      store,
      ownerId: incarnation,
      session,
      ...masking,
      clock,
      newId,
      log,
      verify: createVerdictVerifier(ownKeys),
      waitMs: binding.questions.waitMs,
      ...(binding.grants && {
        grants: grantTerms(binding.grants.waitMs, approvableBy(binding, config.people, session.requester)),
      }),
      surfaces: places.length,
    });
    undo.add(async () => prompter.stop());
    return { prompter, grants, ownerId: incarnation, stop: (graceMs) => undo.all(graceMs) };
  } catch (error) {
    await undo.all(0);
    throw error;
  }
}

/** Each token has a journal of its own, since the next run may have another one of the other platform. */
function journalByPlatform(journals: ReadonlyMap<Platform, CardJournal>): CardJournal {
  return {
    append(entry) {
      const { platform } = 'card' in entry ? entry.card : entry.place;
      const journal = journals.get(platform);
      if (journal === undefined) throw new Error(`no journal for ${platform}`);
      journal.append(entry);
    },
  };
}

/** For `pending`, `resolve` and `grants`. Without it people answer in the chat all the same, so a run goes on without. */
async function openOwnControl(stateDirectory: string, deps: ControlSocketDeps): Promise<() => Promise<void>> {
  try {
    const control = await openControlSocket(newControlPath(stateDirectory), deps);
    return () => control.close();
  } catch (error) {
    deps.log.warn(
      { reason: sentenceOf(error) },
      'there is no control socket: pending, resolve and grants do not know this run',
    );
    return async () => undefined;
  }
}

/** Cards of runs that were killed. Their journals go once every card in them is settled. */
async function settleEarlierRuns(
  directory: string,
  own: string,
  adapter: SurfaceAdapter,
  log: Logger,
  leaving: AbortSignal,
): Promise<void> {
  try {
    for (const { file, cards } of readAbandonedCards(directory, own)) {
      const left = await settleAbandoned(cards, [adapter], log, leaving);
      if (left.length === 0) removeJournal(file);
    }
  } catch (error) {
    log.error({ reason: sentenceOf(error) }, 'the cards of earlier runs could not be looked at');
  }
}
