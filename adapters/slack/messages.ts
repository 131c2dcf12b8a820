import type { ChatPostMessageArguments } from '@slack/web-api';
import type { Clock } from '../../src/core/clock.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import { type Card, type Place, SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { CardRef, SessionFacts } from '../../src/core/request.ts';
import type { Install } from './install.ts';
import { workspaceIdOf } from './install.ts';
import { CARD_EVENT, type Payload, renderCard, renderRetired, renderThread, SESSION_EVENT } from './render.ts';
import type { SlackWeb } from './web-clients.ts';

/** Our messages in channels: posting, editing, finding them again. Nothing here is tried twice. */
export class Messages {
  readonly #web: SlackWeb;
  readonly #install: Install;
  readonly #clock: Clock;

  constructor(deps: { web: SlackWeb; install: Install; clock: Clock }) {
    this.#web = deps.web;
    this.#install = deps.install;
    this.#clock = deps.clock;
  }

  /**
   * Reading one message needs the same membership and the scopes that finding a card again needs (conversations.info
   * would need more). Throws what Slack says: not_in_channel, channel_not_found, missing_scope.
   */
  async checkPlace(place: Place): Promise<void> {
    await this.#web.bulk('conversations.history', (client) =>
      client.conversations.history({ channel: place.channel, limit: 1 }),
    );
  }

  openThread(place: Place, session: SessionFacts): Promise<string> {
    return this.#post(place.channel, renderThread(session));
  }

  async post(place: Place, thread: string, card: Card): Promise<CardRef> {
    const inThread = { thread_ts: thread, reply_broadcast: card.state.phase === 'open' };
    return this.#refOf(place, thread, await this.#post(place.channel, renderCard(card), inThread));
  }

  async update(ref: CardRef, card: Card): Promise<void> {
    await this.#edit(ref, renderCard(card));
  }

  /** A card that somebody deleted has nothing left to retire; as a failure it would be tried again by every later run. */
  async retire(ref: CardRef, outcome: Outcome): Promise<void> {
    try {
      await this.#edit(ref, renderRetired(outcome, this.#clock.now()));
    } catch (error) {
      if (!(error instanceof SurfaceError && error.platformCode === 'message_not_found')) throw error;
    }
  }

  async findCard(place: Place, thread: string | undefined, requestId: string): Promise<CardRef | undefined> {
    const isIt = ({ metadata }: Found) =>
      metadata?.event_type === CARD_EVENT && metadata.event_payload?.['request_id'] === requestId;
    const found = await this.#find(place.channel, thread, isIt);
    // A card is always a reply; the history shows it because it was broadcast.
    return found?.ts === undefined ? undefined : this.#refOf(place, thread ?? found.thread_ts ?? found.ts, found.ts);
  }

  async findThread(place: Place, sessionId: string): Promise<string | undefined> {
    const isIt = ({ metadata }: Found) =>
      metadata?.event_type === SESSION_EVENT && metadata.event_payload?.['session_id'] === sessionId;
    return (await this.#find(place.channel, undefined, isIt))?.ts;
  }

  async #post(channel: string, payload: Payload, thread: InThread = {}): Promise<string> {
    const posted = await this.#web.bulk('chat.postMessage', (client) =>
      client.chat.postMessage({ channel, ...payload, ...INERT, ...thread } as ChatPostMessageArguments),
    );
    if (posted.ts !== undefined) return posted.ts;
    throw new SurfaceError('Slack did not say which message it posted', {
      platformCode: 'no_ts',
      ambiguous: true,
    });
  }

  /** Blocks always go along: without them Slack would keep the old ones, buttons and all. */
  async #edit(ref: CardRef, payload: Omit<Payload, 'metadata'> & Partial<Payload>): Promise<void> {
    await this.#web.bulk('chat.update', (client) =>
      client.chat.update({ channel: ref.channel, ts: ref.message, ...payload, parse: 'none', link_names: false }),
    );
  }

  /** The newest of the last few hundred messages that is ours and fits. Others may put our metadata on theirs. */
  async #find(
    channel: string,
    thread: string | undefined,
    isIt: (found: Found) => boolean,
  ): Promise<Found | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { messages, next } = await this.#page(channel, thread, cursor);
      const found = messages.find((message) => message.bot_id === this.#install.botId && isIt(message));
      if (found !== undefined) return found;
      if (next === undefined || next === '') return undefined;
      cursor = next;
    }
    return undefined;
  }

  async #page(channel: string, thread: string | undefined, cursor: string | undefined): Promise<Page> {
    const asked = { channel, limit: 200, include_all_metadata: true, ...(cursor === undefined ? {} : { cursor }) };
    const told =
      thread === undefined
        ? await this.#web.bulk('conversations.history', (client) => client.conversations.history(asked))
        : await this.#web.bulk('conversations.replies', (client) =>
            client.conversations.replies({ ...asked, ts: thread }),
          );
    return { messages: (told.messages ?? []) as Found[], next: told.response_metadata?.next_cursor };
  }

  #refOf(place: Place, thread: string, message: string): CardRef {
    return { platform: 'slack', workspaceId: workspaceIdOf(this.#install), channel: place.channel, message, thread };
  }
}

/** No mention, link preview or markup comes from `text`; blocks take care of themselves. */
export const INERT = {
  parse: 'none',
  link_names: false,
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
} as const;

/** A thousand messages back: a session's thread and an hour of a busy channel. */
const MOST_PAGES = 5;

type InThread = { thread_ts?: string; reply_broadcast?: boolean };

interface Found {
  readonly ts?: string;
  readonly thread_ts?: string;
  readonly bot_id?: string;
  readonly metadata?: { readonly event_type?: string; readonly event_payload?: Readonly<Record<string, unknown>> };
}

interface Page {
  readonly messages: readonly Found[];
  readonly next: string | undefined;
}
