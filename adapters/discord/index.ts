import { Routes } from 'discord.js';
import type { Actor } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import { HandraiseError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import { within } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { PeopleDirectory } from '../../src/core/ports/people-directory.ts';
import type { Card, Place, SurfaceAdapter, SurfaceHealth, SurfaceHost } from '../../src/core/ports/surface-adapter.ts';
import { Recent } from '../../src/core/recent.ts';
import type { CardRef, SessionFacts } from '../../src/core/request.ts';
import { createCallback } from './callback.ts';
import { registerCommands } from './commands.ts';
import { type CheckedDiscordConfig, checkDiscordConfig, type DiscordConfig } from './config.ts';
import { GatewayConnection } from './connection.ts';
import { handleInteraction } from './dispatch.ts';
import { IDENTIFY_EVERY_MS } from './identify-budget.ts';
import type { Interactions } from './interactions.ts';
import { Lanes } from './lanes.ts';
import { OURS } from './limits.ts';
import { Messages } from './messages.ts';
import { createPeople } from './people.ts';
import { createTell } from './replies.ts';
import { createSight } from './sight.ts';
import { DiscordWeb } from './web.ts';

export type { DiscordConfig } from './config.ts';

export interface DiscordDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** Pause between two identifies. Default Discord's own, 5 s; tests on a double need not wait. */
  readonly identifyEveryMs?: number;
  /** Told how many milliseconds after its arrival each interaction was answered. */
  readonly onAcknowledged?: (afterMs: number) => void;
}

/** Discord over its gateway connection: no public address. Throws `configuration` for what cannot be a token. */
export function createDiscordAdapter(config: DiscordConfig, deps: DiscordDependencies): SurfaceAdapter {
  return new DiscordAdapter(checkDiscordConfig(config), deps);
}

class DiscordAdapter implements SurfaceAdapter {
  readonly platform = 'discord';
  readonly #config: CheckedDiscordConfig;
  readonly #deps: DiscordDependencies;
  readonly #web: DiscordWeb;
  readonly #people: PeopleDirectory;
  /** What is under way besides the connection: interactions, and making the commands known. */
  readonly #handling = new Set<Promise<void>>();
  #connection: GatewayConnection | undefined;
  #started: { readonly messages: Messages; readonly botId: string } | undefined;

  constructor(config: CheckedDiscordConfig, deps: DiscordDependencies) {
    this.#config = config;
    this.#deps = deps;
    this.#web = new DiscordWeb(config, deps.clock);
    this.#people = createPeople(this.#web);
  }

  /** A bot may be in many guilds, and each card knows its own: here it is the bot's own id. */
  get workspaceId(): string {
    return this.#ready().botId;
  }

  async start(host: SurfaceHost): Promise<void> {
    const { clock, log, identifyEveryMs = IDENTIFY_EVERY_MS, onAcknowledged } = this.#deps;
    const web = this.#web;
    const { id: botId } = await web.call<{ id: string }>('get', Routes.user(), 'who it is');
    const messages = new Messages({ web, clock, log, botId });
    const handled: Interactions['handled'] = new Recent(clock, OURS.repeatedMs);
    const arrivalOf = ({ id }: { readonly id: string }) => handled.get(id);
    const callback = createCallback({ web, clock, log, arrivalOf, ...(onAcknowledged && { onAcknowledged }) });
    const tell = createTell({ web, clock, log });
    const shared: Interactions = {
      host,
      web,
      messages,
      callback,
      tell,
      sight: createSight(web),
      lanes: new Lanes(),
      handled,
      clock,
      log,
    };
    const connection = new GatewayConnection({
      web,
      token: this.#config.botToken,
      connectsLeftToOthers: this.#config.connectsLeftToOthers,
      identifyEveryMs,
      onEvent: ({ t, d }) => {
        if (t === 'INTERACTION_CREATE') this.#track(handleInteraction(shared, d));
      },
      clock,
      log,
    });
    await connection.start();
    this.#connection = connection;
    this.#started = { messages, botId };
    this.#track(registerCommands({ web, log }));
  }

  async stop(graceMs: number): Promise<void> {
    const { clock } = this.#deps;
    await this.#connection?.stop();
    await within(clock, graceMs, Promise.all(this.#handling));
  }

  health(): SurfaceHealth {
    const failure = this.#web.refusal ?? this.#connection?.failure;
    const connected = this.#connection?.isConnected() === true && this.#web.refusal === undefined;
    const connections = this.#connection?.isConnected() === true ? 1 : 0;
    if (connected && failure === undefined) return { connected, connections, detail: 'connected to Discord' };
    if (failure === undefined) return { connected, connections, detail: 'not connected to Discord yet' };
    return { connected, connections, detail: `${failure.message}. ${failure.hint ?? ''}`.trim() };
  }

  checkPlace(place: Place): Promise<void> {
    return this.#ready().messages.checkPlace(place);
  }

  openThread(place: Place, session: SessionFacts): Promise<string> {
    return this.#ready().messages.openThread(place, session);
  }

  post(place: Place, thread: string, card: Card): Promise<CardRef> {
    return this.#ready().messages.post(place, thread, card);
  }

  findCard(place: Place, thread: string | undefined, requestId: string): Promise<CardRef | undefined> {
    return this.#ready().messages.findCard(place, thread, requestId);
  }

  announce(ref: CardRef, card: Card): Promise<CardRef> {
    return this.#ready().messages.announce(ref, card);
  }

  findThread(place: Place, sessionId: string): Promise<string | undefined> {
    return this.#ready().messages.findThread(place, sessionId);
  }

  update(ref: CardRef, card: Card): Promise<void> {
    return this.#ready().messages.update(ref, card);
  }

  retire(ref: CardRef, outcome: Outcome): Promise<void> {
    return this.#ready().messages.retire(ref, outcome);
  }

  #track(handling: Promise<void>): void {
    this.#handling.add(handling);
    void handling.finally(() => this.#handling.delete(handling));
  }

  groupsOf(userId: string, groups: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#people.groupsOf(userId, groups);
  }

  whoIs(actor: Actor): Promise<Actor> {
    return this.#people.whoIs(actor);
  }

  #ready() {
    if (this.#started !== undefined) return this.#started;
    throw new HandraiseError('The Discord adapter was used before it was started', { code: 'surface' });
  }
}
