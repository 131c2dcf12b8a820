import { join } from 'node:path';
import type { Binding, Config } from '../config/schema.ts';
import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import type { SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import type { SessionFacts } from '../core/request.ts';
import { openAuditFile } from '../observe/audit-file.ts';
import { ChatPrompter } from '../prompt/chat-prompter.ts';
import { openCardJournal, readAbandonedCards, removeJournal } from '../store/card-journal-file.ts';
import { createMemoryStore } from '../store/memory.ts';
import { newSigningKey, readVerdictKey } from '../trust/keys.ts';
import { createVerdictSigner, createVerdictVerifier } from '../trust/verdicts.ts';
import { newControlPath } from './control/place.ts';
import type { ResolverDeps } from './control/resolve.ts';
import { openControlSocket } from './control/server.ts';
import { createGateway } from './gateway.ts';
import { settleAbandoned } from './recover.ts';
import { placesOf, routeBy, slackOf } from './surfaces.ts';
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
  /** Stands between the gateway and Slack, to see what passes: `doctor` does. Default: nothing does. */
  readonly around?: (adapter: SurfaceAdapter) => SurfaceAdapter;
}

export interface Embedded {
  readonly prompter: Prompter;
  /** Settles what is left within `graceMs`, disconnects, gives the token back. Every call must have ended before. */
  stop(graceMs: number): Promise<void>;
}

/** In embedded mode the second Slack connection opens this long after the first: a short run needs one only. */
const SECOND_CONNECTION_AFTER_MS = 60_000;

/**
 * The gateway inside the owner's process, over the memory store: what runs without Redis. Resolves once a card can be
 * posted and clicks can arrive. Throws `token_in_use` when another run on this host has the token, `configuration` when
 * a token is missing, and what the adapter says when Slack cannot be reached or the channel cannot be posted to.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { config, binding, session, stateDirectory, clock, newId, log, around = (adapter) => adapter } = options;
  const places = placesOf(binding);
  const { adapter: slack, botToken } = slackOf(config, SECOND_CONNECTION_AFTER_MS, { clock, log });
  const incarnation = newId();
  const undo = new Undo(log);
  try {
    const lock = await acquireTokenLock(botToken.reveal());
    undo.add(() => lock.release());
    const audit = openAuditFile(join(stateDirectory, 'audit', `${incarnation}.jsonl`));
    undo.add(() => audit.close());
    const journals = join(stateDirectory, 'journal', nameOfToken(botToken.reveal()));
    const journal = openCardJournal(journals, incarnation);
    undo.add(() => journal.close());
    const store = createMemoryStore({ clock, audit, journal, log });
    // Of this process alone: the same way as over Redis, with nothing to configure.
    const { key } = newSigningKey();
    const sign = createVerdictSigner(key);
    const gateway = createGateway({ store, adapters: [around(slack)], route: routeBy(config), sign, clock, log });
    await gateway.start();
    undo.add((graceMs) => gateway.stop(graceMs));
    for (const place of places) await slack.checkPlace(place);
    undo.add(await openOwnControl(stateDirectory, { store, decider: gateway.decider, clock, newId, log }));
    const leaving = new AbortController();
    const recovery = settleEarlierRuns(journals, incarnation, slack, log, leaving.signal);
    undo.add(() => {
      leaving.abort();
      return recovery;
    });
    const prompter = await ChatPrompter.start({
      store,
      ownerId: incarnation,
      session,
      clock,
      newId,
      log,
      verify: createVerdictVerifier([readVerdictKey(key.verdictKey)]),
      waitMs: binding.questions.waitMs,
      surfaces: places.length,
    });
    undo.add(async () => prompter.stop());
    return { prompter, stop: (graceMs) => undo.all(graceMs) };
  } catch (error) {
    await undo.all(0);
    throw error;
  }
}

/** For `pending` and `resolve`. Without it people answer in the chat all the same, so a run goes on without. */
async function openOwnControl(stateDirectory: string, deps: ResolverDeps): Promise<() => Promise<void>> {
  try {
    const control = await openControlSocket(newControlPath(stateDirectory), deps);
    return () => control.close();
  } catch (error) {
    deps.log.warn(
      { reason: sentenceOf(error) },
      'there is no control socket: pending and resolve do not know this run',
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
