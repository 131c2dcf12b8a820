import { codePoints } from '../../json.ts';
import type { MessageRecord } from '../messages.ts';
import { surfaceOf } from '../payloads/block-actions.ts';
import { eventFor } from '../payloads/events.ts';
import { renderScreen } from '../screen.ts';
import type { Delivery } from '../socket-mode/delivery.ts';
import { deliverEvent } from '../socket-mode/events-api.ts';
import type { Operator, Screen, ScreenControl, StaleScreen, Target } from '../types.ts';
import type { ViewRecord } from '../views.ts';
import type { World } from '../world.ts';
import { act, choose, kept } from './act.ts';
import { find, type Hit, type Sources } from './find.ts';
import { closedView, submitView } from './submit.ts';

/** A person at their client: only what is on the screen can be touched. */
export function createOperator(world: World, delivery: Delivery, id: string): Operator {
  const user = world.workspace.users.get(id);
  if (!user) throw new Error(`The Slack double has no user ${id}`);

  const screenFor = (target: Target): Screen => {
    const channel = target.channel ?? [...world.workspace.channels.keys()].find((one) => canSee(world, id, one));
    if (!channel) throw new Error(`${user.name} sees no channel`);
    return renderScreen(world, id, channel);
  };
  const locate = (target: Target, kind: (control: ScreenControl) => boolean): Hit => {
    const screen = screenFor(target);
    if (!target.channel && target.where !== 'home' && screen.modals.length === 0) throw new Error('Say which channel');
    const sources: Sources = {
      message: (ts) => world.messages.find(screen.channel.id, ts),
      view: (viewId) => world.views.find({ viewId }),
    };
    return find(screen, target, sources, kind);
  };
  const front = (): ViewRecord => {
    const view = world.views.stack(id).at(-1);
    if (!view) throw new Error(`${user.name} has no modal open`);
    return view;
  };
  const set = (hit: Hit, value: Parameters<World['forms']['set']>[3]) => {
    const surface = 'view' in hit.on ? hit.on.view.id : surfaceOf(id, hit.on.message);
    world.forms.set(surface, hit.control.blockId, hit.control.actionId, value);
    world.events.emit('change', { user: id });
  };

  return {
    id,
    screen: (channelId) => renderScreen(world, id, channelId),
    click: (target) => act(world, delivery, user, locate(target, isButton), target),
    select(target, options) {
      const hit = locate(target, (control) => control.options.length > 0);
      const value = choose(hit, options);
      if (hit.control.kind !== 'overflow') set(hit, value);
      return hit.fillsIn ? undefined : act(world, delivery, user, hit, target, value);
    },
    type(target, text) {
      const hit = locate(target, (control) => control.kind === 'plain_text_input');
      if (codePoints(text) > hit.control.maxLength) {
        throw new Error(`The input takes at most ${hit.control.maxLength} characters, not ${codePoints(text)}`);
      }
      if (!hit.control.multiline && text.includes('\n')) throw new Error('The input has one line only');
      set(hit, { text: text === '' ? null : text });
    },
    submit() {
      const view = front();
      if (!view.body['submit']) throw new Error('The modal has no submit button');
      if (view.busy) throw new Error('The modal is busy with an earlier submit');
      return submitView(world, delivery, user, view);
    },
    closeModal(how = 'one') {
      const all = how === 'all' || front().body['clear_on_close'] === true;
      const told = world.views
        .close(id, all ? 'all' : 'one')
        .map((view) => closedView(world, delivery, user, view, all));
      return told.find((one) => one !== undefined);
    },
    openHome() {
      const event = eventFor.homeOpened(world, id);
      return world.subscribe.includes(event.type) ? deliverEvent(world, delivery, event) : kept();
    },
    say(channelId, text, opts = {}) {
      const screen = renderScreen(world, id, channelId);
      if (opts.threadTs && !screen.messages.some((one) => one.ts === opts.threadTs)) {
        throw new Error(`There is no thread ${opts.threadTs} on ${user.name}'s screen`);
      }
      const thread = opts.threadTs ? { threadTs: opts.threadTs } : {};
      const fresh = { channel: channelId, user: id, text, blocks: [], parseNames: false, autoLink: true, ...thread };
      const message = world.messages.add(fresh);
      if (world.subscribe.includes('message')) deliverEvent(world, delivery, eventFor.message(message));
      return message.ts;
    },
    reload() {
      world.messages.dropEphemerals(id);
      for (const view of world.views.close(id, 'all')) world.events.emit('change', { user: view.user });
    },
    stale(channelId): StaleScreen {
      const screen = renderScreen(world, id, channelId);
      const then = new Map(world.messages.all(channelId).map((one) => [one.ts, { ...one }]));
      return {
        screen,
        click(target) {
          const hit = find(
            { ...screen, modals: [] },
            target,
            { message: (ts) => then.get(ts), view: () => undefined },
            isButton,
          );
          const old = (hit.on as { readonly message: MessageRecord }).message;
          // The client sends what it shows; Slack adds the message as it is by now.
          const message = world.messages.find(channelId, old.ts) ?? old;
          return act(world, delivery, user, { ...hit, on: { message } }, target);
        },
      };
    },
  };
}

function isButton(control: ScreenControl): boolean {
  return control.kind === 'button';
}

function canSee(world: World, user: string, channel: string): boolean {
  return world.workspace.channels.get(channel)?.members.has(user) ?? false;
}
