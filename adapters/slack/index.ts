import type { Actor } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import { HandraiseError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { PeopleDirectory } from '../../src/core/ports/people-directory.ts';
import type { Card, Place, SurfaceAdapter, SurfaceHealth, SurfaceHost } from '../../src/core/ports/surface-adapter.ts';
import type { CardRef, SessionFacts } from '../../src/core/request.ts';
import { createBoltApp } from './bolt-app.ts';
import { type CheckedSlackConfig, checkSlackConfig, type SlackConfig } from './config.ts';
import { isRefusedToken } from './cures.ts';
import { createIdentify } from './identity.ts';
import { readInstall, workspaceIdOf } from './install.ts';
import { createInteractions } from './interactions.ts';
import { Messages } from './messages.ts';
import { createPeople } from './people.ts';
import { SocketReceiver } from './receiver.ts';
import { createTell } from './replies.ts';
import { createSight } from './sight.ts';
import { createSlackWeb, type SlackWeb } from './web-clients.ts';

export type { SlackConfig } from './config.ts';

export interface SlackDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** 0 ≤ n < 1, for jitter. Default `Math.random`. */
  readonly random?: () => number;
  /** Told of every envelope that was acknowledged, and how many milliseconds after it came. */
  readonly onAcknowledged?: (afterMs: number) => void;
}

/** Slack over Socket Mode: no public address. Throws `configuration` for tokens of the wrong kind. */
export function createSlackAdapter(config: SlackConfig, deps: SlackDependencies): SurfaceAdapter {
  return new SlackAdapter(checkSlackConfig(config), deps);
}

class SlackAdapter implements SurfaceAdapter {
  readonly platform = 'slack';
  readonly #config: CheckedSlackConfig;
  readonly #deps: SlackDependencies;
  readonly #web: SlackWeb;
  readonly #receiver: SocketReceiver;
  #started: { readonly messages: Messages; readonly people: PeopleDirectory; readonly workspaceId: string } | undefined;

  constructor(config: CheckedSlackConfig, deps: SlackDependencies) {
    this.#config = config;
    this.#deps = deps;
    this.#web = createSlackWeb(config, deps.log);
    this.#receiver = new SocketReceiver({ config, ...deps });
  }

  get workspaceId(): string {
    return this.#ready().workspaceId;
  }

  async start(host: SurfaceHost): Promise<void> {
    const { clock, log } = this.#deps;
    const web = this.#web;
    const install = await readInstall(web);
    const workspaceId = workspaceIdOf(install);
    const people = createPeople({ web, install, clock });
    this.#started = { messages: new Messages({ web, install, clock }), people, workspaceId };
    const identify = createIdentify({ web, install, clock, log });
    const interactions = createInteractions({
      host,
      web,
      identify,
      workspaceId,
      sight: createSight({ web, install }),
      tell: createTell({ web, log }),
      webUrl: install.webUrl,
      clock,
      log,
    });
    const receiver = this.#receiver;
    await createBoltApp({ config: this.#config, install, receiver, interactions, log }).start();
  }

  stop(graceMs: number): Promise<void> {
    return this.#receiver.stop(graceMs);
  }

  health(): SurfaceHealth {
    const failure = this.#web.refusal ?? this.#receiver.failure;
    const connections = this.#receiver.open;
    const connected = connections > 0 && !(failure !== undefined && isRefusedToken(failure.platformCode));
    if (connected && failure === undefined) return { connected, connections, detail: 'connected to Slack' };
    if (failure === undefined) return { connected, connections, detail: 'not connected to Slack yet' };
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

  /** A reply that is shown in the channel is posted in one call: whoever finds it was told of it. */
  async announce(ref: CardRef): Promise<CardRef> {
    return ref;
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

  groupsOf(userId: string, groups: readonly string[], fresh?: boolean): Promise<ReadonlySet<string>> {
    return this.#ready().people.groupsOf(userId, groups, fresh);
  }

  whoIs(actor: Actor): Promise<Actor> {
    return this.#ready().people.whoIs(actor);
  }

  #ready() {
    if (this.#started !== undefined) return this.#started;
    throw new HandraiseError('The Slack adapter was used before it was started', { code: 'surface' });
  }
}
