import { startSlackDouble } from '../doubles/slack/index.ts';
import type { ScreenMessage } from '../doubles/slack/types.ts';
import { type Cards, isFormFor, tagIn, wordsOf } from './cards.ts';
import { type Chat, type ChatOptions, FORM_MS, type Who } from './chat.ts';
import type { CardSeen } from './history.ts';

/** Slack with two people in each of its channels. What Ana sees there goes into `cards`. */
export async function openSlack({ channels, seed, faster }: ChatOptions, cards: Cards): Promise<Chat> {
  const slack = await startSlackDouble({ seed, rateLimits: { multiplier: faster } });
  const rooms = Array.from({ length: channels }, (_, at) => {
    const names = { ana: `ana${at}`, ben: `ben${at}` };
    const join = (who: Who) => slack.workspace.addUser({ name: names[who], real_name: names[who] }).id;
    const ids = { ana: join('ana'), ben: join('ben') };
    const members = Object.values(ids);
    return { names, ids, channel: slack.workspace.addChannel({ name: `agents-${at}`, members }).id };
  });
  const byChannel = new Map(rooms.map((room) => [room.channel, room]));
  const userOf = ({ channel }: CardSeen, who: Who) => slack.user(byChannel.get(channel)?.ids[who] ?? '');

  const see = (channel: string, message: ScreenMessage) => {
    const found = tagIn(message.notification);
    if (found === undefined || found.tag === 'session' || message.ephemeral) return;
    const says = wordsOf(message.blocks);
    const isLive = message.controls.length > 0;
    cards.see({ platform: 'slack', part: 'card', channel, message: message.ts }, { ...found, says, isLive });
  };
  slack.on('change', ({ channel }) => {
    const room = channel === undefined ? undefined : byChannel.get(channel);
    if (room === undefined) return;
    for (const message of slack.screen(room.ids.ana, room.channel).messages) {
      for (const one of [message, ...message.replies]) see(room.channel, one);
    }
  });

  const eachSocket = (which: number, act: (id: string) => void): boolean => {
    const open = slack.sockets.open.filter(({ greeted }) => greeted);
    const socket = open[which % Math.max(1, open.length)];
    if (socket !== undefined) act(socket.id);
    return socket !== undefined;
  };
  const { api } = slack.faults;

  return {
    platform: 'slack',
    env: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
    places: rooms.map(({ channel }) => ({ slack: { channel } })),
    people: rooms.flatMap(({ ids, names }) => [
      { platform: 'slack', id: ids.ana, name: names.ana },
      { platform: 'slack', id: ids.ben, name: names.ben },
    ]),
    click(card, who, label) {
      const { channel, message } = card;
      const clicked = userOf(card, who).click({ channel, message, label, where: 'other_device' });
      return { settled: clicked.settled, again: () => void slack.deliver.again(clicked) };
    },
    async type(card, who, text) {
      const { channel, message } = card;
      const person = userOf(card, who);
      person.click({ channel, message, label: 'Other…', where: 'other_device' });
      await slack.until(person.id, channel, ({ modals }) => isFormFor(card, modals[0]), FORM_MS);
      person.type({}, text);
      await person.submit().settled;
    },
    reload: (card, who) => userOf(card, who).reload(),
    faults: {
      'slack refresh': (which) => eachSocket(which, (id) => slack.sockets.disconnect('refresh_requested', { id })),
      'slack connection lost': (which) => eachSocket(which, (id) => slack.sockets.kill(id)),
      'slack connection half-open': (which) => eachSocket(which, (id) => slack.sockets.blackhole(id)),
      'lost reply to a post': () => api('chat.postMessage', { kind: 'apply_then_drop' }),
      'lost reply to an edit': () => api('chat.update', { kind: 'apply_then_drop' }),
      'slack is limited': () => api('chat.postMessage', { kind: 'rate_limited', retryAfter: 1, times: 3 }),
    },
    clearFaults: () => slack.faults.clear(),
    violations: () => slack.violations.map(({ method, rule, message }) => `${method}: ${rule}: ${message}`),
    close: () => slack.close(),
  };
}
