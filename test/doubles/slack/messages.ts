import type { Clock } from '../clock.ts';
import type { Obj } from '../json.ts';
import type { Events } from './events.ts';

export interface MessageRecord {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly user: string;
  readonly at: number;
  readonly broadcast: boolean;
  /** The only person who sees it. */
  readonly ephemeralTo?: string;
  text: string;
  blocks: readonly Obj[];
  metadata?: Obj;
  files: string[];
  /** `parse` or `link_names` asked for names in `text` to become mentions. */
  parseNames: boolean;
  /** `parse: 'none'`: bare URLs stay text. */
  autoLink: boolean;
  edited?: { readonly user: string; readonly ts: string };
  tombstone: boolean;
  /** Counts changes of text and blocks. */
  version: number;
}

export type NewMessage = Omit<
  MessageRecord,
  'ts' | 'at' | 'tombstone' | 'broadcast' | 'files' | 'edited' | 'version'
> & {
  readonly broadcast?: boolean;
  readonly files?: string[];
};

export interface MessageStore {
  add(message: NewMessage): MessageRecord;
  find(channel: string, ts: string): MessageRecord | undefined;
  /** Everything in the channel, ephemerals included, oldest first. */
  all(channel: string): readonly MessageRecord[];
  replies(channel: string, threadTs: string): readonly MessageRecord[];
  /** Says that a record was changed in place. */
  changed(message: MessageRecord): void;
  remove(message: MessageRecord): void;
  /** A user's client was reloaded. */
  dropEphemerals(user: string): void;
  /** A fresh timestamp id, later than every earlier one. */
  newTs(): string;
}

export function createMessages(clock: Clock, events: Events): MessageStore {
  const byChannel = new Map<string, MessageRecord[]>();
  let lastMicros = 0;

  const newTs = () => {
    lastMicros = Math.max(lastMicros + 1, clock.now() * 1000);
    return `${Math.floor(lastMicros / 1e6)}.${String(lastMicros % 1e6).padStart(6, '0')}`;
  };
  const all = (channel: string) => byChannel.get(channel) ?? [];
  const replies = (channel: string, threadTs: string) =>
    all(channel).filter((one) => one.threadTs === threadTs && one.ephemeralTo === undefined);
  const drop = (message: MessageRecord) => {
    byChannel.set(
      message.channel,
      all(message.channel).filter((one) => one !== message),
    );
  };

  return {
    newTs,
    all,
    replies,
    find: (channel, ts) => all(channel).find((one) => one.ts === ts),
    add(fresh) {
      const message: MessageRecord = {
        broadcast: false,
        files: [],
        ...fresh,
        ts: newTs(),
        at: clock.now(),
        tombstone: false,
        version: 0,
      };
      byChannel.set(message.channel, [...all(message.channel), message]);
      const { channel, ts, threadTs, text, ephemeralTo } = message;
      if (ephemeralTo === undefined) events.emit('post', { channel, ts, text, ...(threadTs ? { threadTs } : {}) });
      else events.emit('ephemeral', { channel, ts, text, user: ephemeralTo });
      events.emit('change', { channel });
      return message;
    },
    changed(message) {
      message.version += 1;
      events.emit('update', { channel: message.channel, ts: message.ts });
      events.emit('change', { channel: message.channel });
    },
    remove(message) {
      const { channel, ts } = message;
      message.version += 1;
      if (replies(channel, ts).length > 0) {
        Object.assign(message, { tombstone: true, text: 'This message was deleted.', blocks: [], files: [] });
      } else drop(message);
      events.emit('delete', { channel, ts });
      events.emit('change', { channel });
    },
    dropEphemerals(user) {
      for (const [channel, messages] of byChannel) {
        byChannel.set(
          channel,
          messages.filter((one) => one.ephemeralTo !== user),
        );
        events.emit('change', { channel, user });
      }
    },
  };
}
