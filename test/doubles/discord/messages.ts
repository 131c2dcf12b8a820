import type { Clock } from '../clock.ts';
import type { Events } from '../events.ts';
import type { Obj } from '../json.ts';
import type { Snowflakes } from './snowflake.ts';
import type { ChannelRecord, DiscordEvents } from './types.ts';

export interface MessageRecord {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly at: number;
  /** 0 default, 18 a thread was created, 19 reply, 20 response to a command. */
  readonly type: 0 | 18 | 19 | 20;
  readonly nonce?: string | number;
  /** The only person who sees it. */
  readonly ephemeralTo?: string;
  /** The interaction it responds to. */
  readonly interaction?: {
    readonly id: string;
    readonly userId: string;
    readonly type: 2 | 3 | 5;
    readonly command?: string;
    /** The message whose component it was, directly or through a modal. */
    readonly messageId?: string;
  };
  readonly replyTo?: string;
  content: string;
  /** As Discord keeps them: with ids. */
  components: readonly Obj[];
  embeds: readonly Obj[];
  files: readonly FileRecord[];
  /** 4 suppress embeds, 64 ephemeral, 128 thinking, 32768 components V2. */
  flags: number;
  mentions: { readonly everyone: boolean; readonly users: readonly string[]; readonly roles: readonly string[] };
  /** Who was pinged by it, for whoever looks. */
  editedAt?: number;
  failed: boolean;
  /** When it was edited, once it was an hour old: Discord limits that. */
  oldEdits: number[];
  version: number;
}

export interface FileRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
  readonly description?: string;
}

export type NewMessage = Pick<MessageRecord, 'channelId' | 'authorId' | 'content' | 'components' | 'embeds' | 'files'> &
  Pick<MessageRecord, 'flags' | 'mentions'> &
  Partial<Pick<MessageRecord, 'type' | 'nonce' | 'ephemeralTo' | 'interaction' | 'replyTo'>>;

export const FLAGS = { suppressEmbeds: 1 << 2, ephemeral: 1 << 6, loading: 1 << 7, componentsV2: 1 << 15 } as const;

export interface MessageStore {
  add(message: NewMessage): MessageRecord;
  find(channelId: string, id: string): MessageRecord | undefined;
  /** Everything in the channel, ephemerals included, oldest first. */
  all(channelId: string): readonly MessageRecord[];
  /** Says that a record was changed in place. */
  changed(message: MessageRecord): void;
  remove(message: MessageRecord): void;
  /** A user's client was reloaded. */
  dropEphemerals(user: string): void;
}

/** Calls `tell` for what sessions hear of: everything but ephemerals. */
export function createMessages(
  clock: Clock,
  ids: Snowflakes,
  events: Events<DiscordEvents>,
  channelOf: (id: string) => ChannelRecord | undefined,
  tell: (how: 'CREATE' | 'UPDATE' | 'DELETE', message: MessageRecord) => void,
): MessageStore {
  const byChannel = new Map<string, MessageRecord[]>();
  const all = (channelId: string) => byChannel.get(channelId) ?? [];
  const drop = (message: MessageRecord) => {
    byChannel.set(
      message.channelId,
      all(message.channelId).filter((one) => one !== message),
    );
  };
  return {
    all,
    find: (channelId, id) => all(channelId).find((one) => one.id === id),
    add(fresh) {
      const message: MessageRecord = {
        type: 0,
        ...fresh,
        id: ids.next(),
        at: clock.now(),
        failed: false,
        oldEdits: [],
        version: 0,
      };
      byChannel.set(message.channelId, [...all(message.channelId), message]);
      const { channelId, id, content, ephemeralTo } = message;
      const channel = channelOf(channelId);
      if (channel && ephemeralTo === undefined) channel.lastMessageId = id;
      if (ephemeralTo === undefined) {
        events.emit('post', { channel: channelId, id, text: content });
        tell('CREATE', message);
      } else events.emit('ephemeral', { channel: channelId, id, text: content, user: ephemeralTo });
      events.emit('change', { channel: channelId });
      return message;
    },
    changed(message) {
      message.version += 1;
      events.emit('update', { channel: message.channelId, id: message.id });
      if (message.ephemeralTo === undefined) tell('UPDATE', message);
      events.emit('change', { channel: message.channelId });
    },
    remove(message) {
      drop(message);
      message.version += 1;
      events.emit('delete', { channel: message.channelId, id: message.id });
      if (message.ephemeralTo === undefined) tell('DELETE', message);
      events.emit('change', { channel: message.channelId });
    },
    dropEphemerals(user) {
      for (const [channelId, list] of byChannel) {
        byChannel.set(
          channelId,
          list.filter((one) => one.ephemeralTo !== user),
        );
      }
      events.emit('change', { user });
    },
  };
}
