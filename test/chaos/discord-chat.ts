import { setTimeout as sleep } from 'node:timers/promises';
import { type ScreenMessage, startDiscordDouble } from '../doubles/discord/index.ts';
import { type Cards, isFormFor, tagIn, wordsOf } from './cards.ts';
import { type Chat, type ChatOptions, FORM_MS, type Who } from './chat.ts';
import type { CardSeen } from './history.ts';

/** A zombie connection is noticed after a missed beat; with Discord's own 41 s a run would be over before. */
const HEARTBEAT_MS = 4_000;

/** Discord with two people in each of its channels. What Ana sees there and in its threads goes into `cards`. */
export async function openDiscord({ channels, faster }: ChatOptions, cards: Cards): Promise<Chat> {
  const discord = await startDiscordDouble({
    rateLimits: { multiplier: faster },
    sockets: { heartbeatMs: HEARTBEAT_MS },
  });
  const rooms = Array.from({ length: channels }, (_, at) => {
    const names = { ana: `Dana ${at}`, ben: `Finn ${at}` };
    const join = (who: Who) => discord.guild.addMember({ name: `${who}${at}`, displayName: names[who] }).id;
    return {
      names,
      ids: { ana: join('ana'), ben: join('ben') },
      channel: discord.guild.addChannel({ name: `agents-${at}` }).id,
    };
  });
  const byChannel = new Map(rooms.map((room) => [room.channel, room]));
  /** Threads, as they are seen in their channels. */
  const roomOf = new Map(rooms.map((room) => [room.channel, room]));
  const userOf = ({ channel }: CardSeen, who: Who) => discord.user(byChannel.get(channel)?.ids[who] ?? '');

  const see = (channel: string, message: ScreenMessage, thread: string | undefined) => {
    if (!message.author.isBot || message.ephemeral) return;
    const says = wordsOf(message.components);
    const found = thread === undefined ? tagIn(message.notification) : stateIn(says);
    if (found === undefined) return;
    const isLive = message.controls.length > 0;
    const part = thread === undefined ? ('pointer' as const) : ('card' as const);
    const at = { platform: 'discord' as const, part, channel, message: message.id };
    cards.see({ ...at, ...(thread === undefined ? {} : { thread }) }, { ...found, says, isLive });
  };
  discord.on('change', ({ channel }) => {
    const room = channel === undefined ? undefined : roomOf.get(channel);
    if (room === undefined || channel === undefined) return;
    const thread = channel === room.channel ? undefined : channel;
    for (const message of discord.screen(room.ids.ana, channel).messages) {
      if (message.thread !== undefined) roomOf.set(message.thread.id, room);
      see(room.channel, message, thread);
    }
  });

  const eachSocket = (which: number, act: (id: string) => void): boolean => {
    const open = discord.sockets.open.filter(({ ready }) => ready);
    const socket = open[which % Math.max(1, open.length)];
    if (socket !== undefined) act(socket.id);
    return socket !== undefined;
  };
  const { api } = discord.faults;

  return {
    platform: 'discord',
    env: { DISCORD_BOT_TOKEN: discord.botToken, DISCORD_API_URL: discord.apiUrl },
    places: rooms.map(({ channel }) => ({ discord: { channel } })),
    people: rooms.flatMap(({ ids, names }) => [
      { platform: 'discord', id: ids.ana, name: names.ana },
      { platform: 'discord', id: ids.ben, name: names.ben },
    ]),
    click(card, who, label) {
      const { thread: channel = '', message } = card;
      const clicked = userOf(card, who).click({ channel, message, label, where: 'other_device' });
      return { settled: clicked.settled, again: () => discord.deliver.again(clicked) };
    },
    async type(card, who, text) {
      const { thread: channel = '', message } = card;
      const person = userOf(card, who);
      person.click({ channel, message, label: 'Other…', where: 'other_device' });
      await discord.until(person.id, channel, ({ modals }) => isFormFor(card, modals[0]), FORM_MS);
      person.type({ label: 'Your answer' }, text);
      await person.submit().settled;
    },
    reload: (card, who) => userOf(card, who).reload(),
    faults: {
      'discord asks to reconnect': (which) => eachSocket(which, (id) => discord.sockets.reconnect(id)),
      'discord session lost': (which) => eachSocket(which, (id) => discord.sockets.invalidate(false, id)),
      'discord connection lost': (which) => eachSocket(which, (id) => discord.sockets.kill(id)),
      'discord connection half-open': (which) => eachSocket(which, (id) => discord.sockets.blackhole(id)),
      'discord gateway away': async (_, downMs) => {
        await discord.sockets.down();
        await sleep(downMs);
        await discord.sockets.up();
      },
      'discord fails a post': () => api('create_message', { kind: 'status', status: 502, times: 2 }),
      'discord fails an edit': () => api('update_*', { kind: 'status', status: 500, times: 2 }),
      'discord is limited': () => api('create_message', { kind: 'rate_limited', retryAfter: 1, times: 3 }),
      'discord is limited everywhere': () =>
        api('*', { kind: 'rate_limited', retryAfter: 0.5, scope: 'global', times: 3 }),
      'lost reply to a Discord post': () => api('create_message', { kind: 'apply_then_drop' }),
      'lost reply to a Discord edit': () => api('update_*', { kind: 'apply_then_drop' }),
      'lost reply to a Discord click': () => api('create_interaction_response', { kind: 'apply_then_drop' }),
    },
    clearFaults: () => discord.faults.clear(),
    // While gateways are killed, some clicks find none; people count those, and click again.
    violations: () =>
      discord.violations
        .filter(({ rule }) => rule !== 'unanswered')
        .map(({ method, rule, message }) => `${method}: ${rule}: ${message}`),
    close: () => discord.close(),
  };
}

/** What the first words of a card say became of its question; those of an open one say who asks. */
function stateIn(says: string): { readonly tag: string; readonly by?: string } {
  const [, state, rest = ''] = STATE.exec(says) ?? [];
  if (state === undefined) return { tag: 'question' };
  const [, by] = /· by (.+?) · /.exec(rest) ?? [];
  return { tag: state.toLowerCase(), ...(by === undefined ? {} : { by }) };
}

const STATE =
  /^\S+ (Answered|Recorded|Skipped|Left to the agent|Timed out|Withdrawn|Replaced|Agent gone|Given up|Not accepted|Not confirmed)\b(.*)/;
