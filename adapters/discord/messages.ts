import { createHash } from 'node:crypto';
import { type APIMessage, Routes } from 'discord.js';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import { pause } from '../../src/core/pause.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { type Card, type Place, SurfaceError } from '../../src/core/ports/surface-adapter.ts';
import type { CardRef, SessionFacts } from '../../src/core/request.ts';
import { Channels, isThread } from './channels.ts';
import { checkPermissions } from './check-permissions.ts';
import type { Draft } from './draft.ts';
import { CODES, hasCode } from './errors.ts';
import { History } from './history.ts';
import { DISCORD } from './limits.ts';
import { type Payload, renderCard, renderPointer, renderRetired, renderTest, renderThread } from './render.ts';
import { attachmentsOf, type DiscordWeb, filesOf, messageBody } from './web.ts';

/**
 * Our messages in channels: posting, editing, finding them again. Only the line that points to a card is tried twice. A session has a thread
 * with its cards in it; since a thread notifies nobody by itself, a line in the channel points to each card.
 */
export class Messages {
  readonly #web: DiscordWeb;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #channels: Channels;
  readonly #history: History;
  readonly #botId: string;

  constructor(deps: { web: DiscordWeb; clock: Clock; log: Logger; botId: string }) {
    this.#botId = deps.botId;
    this.#web = deps.web;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#channels = new Channels(deps.web);
    this.#history = new History(deps.web, deps.botId);
  }

  /** The bound channel that a message belongs to: the one it is in, or the one its thread hangs on. */
  placeOf(channel: string, parent: string | undefined): string {
    return parent === undefined || this.#channels.isKnown(channel) ? channel : parent;
  }

  /** Throws the cure when the channel cannot be read, is of a kind without messages, or lacks a permission. */
  async checkPlace({ channel }: Place): Promise<void> {
    const found = await this.#channels.fresh(channel);
    const [web, channels, clock, botId] = [this.#web, this.#channels, this.#clock, this.#botId];
    await checkPermissions({ web, channels, clock, botId }, found);
  }

  async openThread({ channel }: Place, session: SessionFacts): Promise<string> {
    const { name, ...payload } = renderThread(session);
    const message = await this.#post(channel, payload, `s${session.sessionId} ${channel}`);
    return this.#threadOn(channel, message, name);
  }

  async post(place: Place, thread: string, card: Card): Promise<CardRef> {
    const { requestId } = card.view;
    const { guildId } = await this.#channels.known(place.channel);
    const message = await this.#post(thread, renderCard(card), `c${requestId} ${place.channel}`);
    return this.announce({ platform: 'discord', workspaceId: guildId, channel: place.channel, message, thread }, card);
  }

  /** Posts the line in the channel that leads to an open card, where none is known to. */
  async announce(ref: CardRef, card: Card): Promise<CardRef> {
    if (ref.pointer !== undefined || card.state.phase !== 'open' || ref.thread === ref.channel) return ref;
    const pointer = await this.#pointTo(ref, card);
    return pointer === undefined ? ref : { ...ref, pointer };
  }

  async update(ref: CardRef, card: Card): Promise<void> {
    await this.drawAt(ref.thread, ref.message, card);
    await this.#repoint(ref, card);
  }

  /** Draws a card where it is known to hang. */
  async drawAt(channel: string, message: string, card: Card, draft?: Draft): Promise<void> {
    await this.#edit(channel, message, renderCard(card, draft), card.state.phase === 'open');
  }

  /** The server that a channel is in. */
  async guildOf(channel: string): Promise<string> {
    return (await this.#channels.known(channel)).guildId;
  }

  /** A message for `doctor`. One whose posting is in doubt is posted again: the nonce keeps it to one. */
  async postTest(channel: string, id: string): Promise<string> {
    const post = () => this.#post(channel, renderTest(), `t${id}`);
    try {
      return await post();
    } catch (error) {
      if (!(error instanceof SurfaceError && error.ambiguous)) throw error;
      return post();
    }
  }

  /** What is gone already is no error. */
  async delete(channel: string, message: string): Promise<void> {
    try {
      await this.#web.call('delete', Routes.channelMessage(channel, message), 'deleting a message');
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage, CODES.unknownChannel)) throw error;
    }
  }

  /** Deletes a card and the lines in the channel that lead to it. Its thread stays, closed: deleting one is for moderators. */
  async remove({ channel, thread, message, pointer }: CardRef): Promise<void> {
    await this.delete(thread, message);
    if (thread === channel) return;
    if (pointer !== undefined) await this.delete(channel, pointer);
    try {
      await this.#web.call('patch', Routes.channel(thread), 'closing a thread', { body: { archived: true } });
    } catch (error) {
      if (!hasCode(error, CODES.unknownChannel)) throw error;
    }
    await this.delete(channel, thread);
  }

  /** A card that somebody deleted has nothing left to retire; as a failure it would be tried again by every later run. */
  async retire(ref: CardRef, outcome: Outcome): Promise<void> {
    const payload = renderRetired(outcome, this.#clock.now());
    for (const [channel, message] of [
      [ref.thread, ref.message],
      [ref.channel, ref.pointer],
    ] as const) {
      if (message === undefined) continue;
      try {
        await this.#edit(channel, message, payload, false);
      } catch (error) {
        if (!hasCode(error, CODES.unknownMessage, CODES.unknownChannel)) throw error;
      }
    }
  }

  /** Without a thread, those that were active lately are looked through, as well as the channel itself. */
  async findCard(place: Place, thread: string | undefined, requestId: string): Promise<CardRef | undefined> {
    const { guildId } = await this.#channels.known(place.channel);
    const threads = thread === undefined ? await this.#history.threadsOf(place.channel, guildId) : [thread];
    for (const candidate of threads) {
      const found = await this.#history.find(candidate, (message) => mentions(message, `.${requestId}.`));
      if (found === undefined) continue;
      const ref = {
        platform: 'discord',
        workspaceId: guildId,
        channel: place.channel,
        message: found.id,
        thread: candidate,
      } as const;
      if (candidate === place.channel) return ref;
      const pointer = await this.#findPointer(ref);
      return pointer === undefined ? ref : { ...ref, pointer };
    }
    return undefined;
  }

  async findThread({ channel }: Place, session: string): Promise<string | undefined> {
    const found = await this.#history.session(channel, session);
    return found === undefined ? undefined : this.#threadOn(channel, found.id, 'handraise');
  }

  /** What a click redraws by itself leaves the line in the channel to this. False when it could not. Never rejects. */
  async repoint(ref: CardRef, card: Card): Promise<boolean> {
    try {
      await this.#repoint(ref, card);
      return true;
    } catch (error) {
      this.#log.warn({ requestId: card.view.requestId, reason: sentenceOf(error) }, 'a pointer was not redrawn');
      return false;
    }
  }

  /**
   * Posts the line that leads to a card. The card can be answered without it, but nobody is notified; so it is tried
   * again, and the nonce keeps it to one line also where Discord's answer got lost.
   */
  async #pointTo(ref: CardRef, card: Card): Promise<string | undefined> {
    const { requestId } = card.view;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#post(ref.channel, renderPointer(card, urlOf(ref)), `p${requestId} ${ref.channel}`);
      } catch (error) {
        const { permanent = false, retryAfterMs = POINTER.againMs } = error instanceof SurfaceError ? error : {};
        if (permanent || tries === POINTER.tries || retryAfterMs > POINTER.mostMs) {
          this.#log.warn({ requestId, reason: sentenceOf(error) }, 'no line in the channel points to a card');
          return undefined;
        }
        await pause(this.#clock, retryAfterMs);
      }
    }
  }

  async #repoint(ref: CardRef, card: Card): Promise<void> {
    if (card.state.phase === 'open' || ref.thread === ref.channel) return;
    // Whoever posted it may be gone before it could tell.
    const pointer = ref.pointer ?? (await this.#findPointer(ref));
    if (pointer === undefined) return;
    try {
      await this.#edit(ref.channel, pointer, renderPointer(card, urlOf(ref)), false);
    } catch (error) {
      if (!hasCode(error, CODES.unknownMessage)) throw error;
    }
  }

  async #findPointer(ref: CardRef): Promise<string | undefined> {
    const found = await this.#history.find(ref.channel, (message) => mentions(message, urlOf(ref)));
    return found?.id;
  }

  /** The thread of a parent line has its id. In a bound thread there can be none: the cards then follow the line. */
  async #threadOn(channel: string, message: string, name: string): Promise<string> {
    if (isThread(await this.#channels.known(channel))) return channel;
    try {
      const body = { name, auto_archive_duration: ARCHIVE_AFTER_MINUTES };
      await this.#web.call('post', Routes.threads(channel, message), 'a thread', { body });
    } catch (error) {
      if (!hasCode(error, CODES.threadExists)) throw error;
    }
    return message;
  }

  /** `key` makes the nonce: within some minutes Discord answers the same one with the message that is there already. */
  async #post(channel: string, payload: Payload, key: string): Promise<string> {
    const nonce = createHash('sha256').update(key).digest('base64url').slice(0, DISCORD.nonce);
    const body = { ...messageBody(payload), ...attachmentsOf(payload), nonce, enforce_nonce: true };
    const posted = await this.#web.call<{ id?: string }>('post', Routes.channelMessages(channel), 'a message', {
      body,
      ...filesOf(payload),
    });
    if (posted.id !== undefined) return posted.id;
    throw new SurfaceError('Discord did not say which message it posted', { platformCode: 'no_id', ambiguous: true });
  }

  /** A message in an archived thread can be edited once the thread is open again. */
  async #edit(channel: string, message: string, payload: Payload, keepFiles: boolean): Promise<void> {
    const body = { ...messageBody(payload), ...(keepFiles ? {} : { attachments: [] }) };
    const edit = () => this.#web.call('patch', Routes.channelMessage(channel, message), 'an edit', { body });
    try {
      await edit();
    } catch (error) {
      if (!hasCode(error, CODES.threadArchived)) throw error;
      await this.#web.call('patch', Routes.channel(channel), 'opening a thread', { body: { archived: false } });
      await edit();
    }
  }
}

/** The address of a card, for people. */
export function urlOf({ workspaceId, thread, message }: Pick<CardRef, 'workspaceId' | 'thread' | 'message'>): string {
  return `https://discord.com/channels/${workspaceId}/${thread}/${message}`;
}

/** Within the time a gateway has its turn to post for. */
const POINTER = { tries: 3, againMs: 250, mostMs: 1_500 } as const;

/** A week: as long as Discord keeps a thread in sight without a message. */
const ARCHIVE_AFTER_MINUTES = 10_080;

/** Whether its buttons carry this: only we can put ids and links into messages of our own. */
function mentions({ components = [] }: Pick<APIMessage, 'components'>, part: string): boolean {
  return JSON.stringify(components).includes(part);
}
