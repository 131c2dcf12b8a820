import type { ChatPostMessageArguments } from '@slack/web-api';
import type { Actor } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import { HandraiseError } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { type Place, SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type {
  MemberCount,
  SurfaceAccount,
  SurfaceExaminer,
  TriedPlace,
} from '../../src/core/ports/surface-examiner.ts';
import type { CardRef } from '../../src/core/request.ts';
import { type CheckedSlackConfig, checkSlackConfig, type SlackConfig } from './config.ts';
import { standingOf } from './identity.ts';
import { type Install, installOf, SCOPES } from './install.ts';
import { openLink } from './link.ts';
import { INERT, Messages } from './messages.ts';
import { createSlackWeb, type SlackWeb } from './web-clients.ts';

export interface ExaminerDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  /** Tells one test message from another. */
  readonly newId: () => string;
}

/** Asks Slack what `doctor` wants to know. Throws `configuration` for tokens of the wrong kind. */
export function createSlackExaminer(config: SlackConfig, deps: ExaminerDependencies): SurfaceExaminer {
  return new SlackExaminer(checkSlackConfig(config), deps);
}

class SlackExaminer implements SurfaceExaminer {
  readonly platform = 'slack';
  readonly #config: CheckedSlackConfig;
  readonly #deps: ExaminerDependencies;
  readonly #web: SlackWeb;
  #known: { readonly install: Install; readonly messages: Messages } | undefined;

  constructor(config: CheckedSlackConfig, deps: ExaminerDependencies) {
    this.#config = config;
    this.#deps = deps;
    this.#web = createSlackWeb(config, deps.log);
  }

  async identify(): Promise<SurfaceAccount> {
    const told = await this.#web.interactive('auth.test', (client) => client.auth.test());
    const install = installOf(told);
    this.#known = { install, messages: new Messages({ web: this.#web, install, clock: this.#deps.clock }) };
    const granted = told.response_metadata?.scopes;
    // A proxy may have taken the header away: then the calls themselves have to tell.
    const lacking = (scopes: readonly string[]) =>
      granted === undefined ? [] : scopes.filter((scope) => !granted.includes(scope));
    return {
      workspace: [told.team, told.url].filter((part) => part !== undefined && part !== '').join(', ') || 'a workspace',
      missing: {
        always: lacking(SCOPES.always),
        sometimes: lacking(SCOPES.byChannel),
        forInbox: lacking(SCOPES.forInbox),
      },
      obstacles: [],
    };
  }

  async greet(): Promise<number | undefined> {
    // Not acknowledged: what comes now is the click of a person, who sees that it failed and can click again.
    const link = openLink({ ...this.#deps, config: this.#config, onEnvelope: () => undefined });
    try {
      await link.greeted;
      return link.connections();
    } finally {
      await link.close();
    }
  }

  async tryPlace(place: Place): Promise<TriedPlace> {
    await this.#ready().messages.checkPlace(place);
    const id = this.#deps.newId();
    let ts: string | undefined;
    try {
      ts = await this.#postTest(place, id);
    } catch (error) {
      if (!(error instanceof SurfaceError && error.ambiguous)) throw error;
      ts = await this.#findTest(place, id);
      if (ts === undefined) throw error;
    }
    try {
      await this.#delete(place.channel, ts);
      return { removed: true };
    } catch (error) {
      this.#deps.log.warn({ channel: place.channel, reason: String(error) }, 'a test message could not be deleted');
      return { removed: false };
    }
  }

  async standingOf(userId: string): Promise<Pick<Actor, 'name' | 'standing'>> {
    const { install } = this.#ready();
    try {
      const { user } = await this.#web.interactive('users.info', (client) => client.users.info({ user: userId }));
      if (user === undefined) return { name: userId, standing: 'unverified' };
      return { name: user.real_name ?? user.name ?? userId, standing: standingOf(user, install) };
    } catch (error) {
      if (error instanceof SurfaceError && error.platformCode === 'user_not_found')
        return { name: userId, standing: 'unverified' };
      if (error instanceof SurfaceError && error.platformCode === 'user_not_visible')
        return { name: userId, standing: 'stranger' };
      throw error;
    }
  }

  /** The first page tells whether there is anybody; how many exactly is of no interest. */
  async countMembers(): Promise<MemberCount> {
    const { install } = this.#ready();
    const team = install.teamId === undefined ? {} : { team_id: install.teamId };
    const told = await this.#web.interactive('users.list', (client) => client.users.list({ limit: 200, ...team }));
    const members = (told.members ?? []).filter((user) => standingOf(user, install) === 'member');
    const next = told.response_metadata?.next_cursor;
    return { members: members.length, how: next === undefined || next === '' ? 'exactly' : 'at-least' };
  }

  /** Slack has groups of users, which are not looked up by a click. */
  async roleNamed(): Promise<undefined> {
    return undefined;
  }

  async remove(ref: CardRef): Promise<void> {
    // The card first: a parent with replies would stay as "this message was deleted".
    for (const ts of [ref.message, ref.thread]) {
      await this.#delete(ref.channel, ts).catch((error: unknown) => {
        if (!(error instanceof SurfaceError && error.platformCode === 'message_not_found')) throw error;
      });
    }
  }

  findCard(place: Place, thread: string | undefined, requestId: string): Promise<CardRef | undefined> {
    return this.#ready().messages.findCard(place, thread, requestId);
  }

  retire(ref: CardRef, outcome: Outcome): Promise<void> {
    return this.#ready().messages.retire(ref, outcome);
  }

  async #postTest(place: Place, id: string): Promise<string> {
    const { ts } = await this.#web.bulk('chat.postMessage', (client) =>
      client.chat.postMessage({
        channel: place.channel,
        text: 'handraise doctor tries whether it can post here. This message is deleted at once.',
        metadata: { event_type: TEST_EVENT, event_payload: { id } },
        ...INERT,
      } as ChatPostMessageArguments),
    );
    if (ts !== undefined) return ts;
    throw new SurfaceError('Slack did not say which message it posted', { platformCode: 'no_ts', ambiguous: true });
  }

  async #findTest({ channel }: Place, id: string): Promise<string | undefined> {
    const { messages = [] } = await this.#web.bulk('conversations.history', (client) =>
      client.conversations.history({ channel, limit: 50, include_all_metadata: true }),
    );
    const isIt = ({ metadata }: (typeof messages)[number]) =>
      metadata?.event_type === TEST_EVENT && (metadata.event_payload as { id?: unknown } | undefined)?.id === id;
    return messages.find(isIt)?.ts;
  }

  async #delete(channel: string, ts: string): Promise<void> {
    await this.#web.bulk('chat.delete', (client) => client.chat.delete({ channel, ts }));
  }

  #ready() {
    if (this.#known !== undefined) return this.#known;
    throw new HandraiseError('Slack was examined before it said whose token it is', { code: 'surface' });
  }
}

const TEST_EVENT = 'handraise_test';
