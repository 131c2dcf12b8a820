import type { MessageRecord } from '../messages.ts';
import type { World } from '../world.ts';

/** The Events API events this double makes by itself. */
export const eventFor = {
  homeOpened(world: World, user: string) {
    const view = world.views.home(user);
    return {
      type: 'app_home_opened',
      user,
      channel: `D${user.slice(1)}`,
      tab: 'home',
      event_ts: world.messages.newTs(),
      ...(view ? { view: { id: view.id, hash: view.hash, type: 'home' } } : {}),
    } as const;
  },
  message(message: MessageRecord) {
    return {
      type: 'message',
      channel: message.channel,
      channel_type: 'channel',
      user: message.user,
      text: message.text,
      ts: message.ts,
      event_ts: message.ts,
      ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    } as const;
  },
};
