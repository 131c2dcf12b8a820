import { codePoints } from '../../json.ts';
import { type FormValue, surfaceOf } from '../forms.ts';
import { sees } from '../gateway/tell.ts';
import { commandInteraction } from '../payloads/interaction.ts';
import { wake } from '../rest/message-routes.ts';
import { renderScreen } from '../screen.ts';
import type { Operator, Screen, ScreenControl, StaleScreen, Target } from '../types.ts';
import type { World } from '../world.ts';
import { act, choose } from './act.ts';
import { find, type Hit, type Sources } from './find.ts';
import { submitModal } from './submit.ts';

/** A person at their client: only what is on the screen can be touched. */
export function createOperator(world: World, id: string): Operator {
  const user = world.guilds.users.get(id);
  if (!user) throw new Error(`The Discord double has no user ${id}`);

  const locate = (target: Target, kind: (control: ScreenControl) => boolean): Hit => {
    const modal = world.modals.of(id);
    const channelId = target.channel ?? modal?.channelId;
    if (channelId === undefined) throw new Error('Say which channel');
    const screen = renderScreen(world, id, channelId);
    const sources: Sources = { message: (messageId) => world.messages.find(channelId, messageId), modal };
    return find(screen, target, sources, kind);
  };
  const front = () => {
    const modal = world.modals.of(id);
    if (!modal) throw new Error(`${user.name} has no modal open`);
    return modal;
  };
  const fill = (hit: Hit, value: FormValue) => {
    const surface = 'modal' in hit.on ? hit.on.modal.key : surfaceOf(hit.on.message.id, id);
    world.forms.set(surface, hit.control.customId, value);
    world.events.emit('change', { user: id });
  };

  return {
    id,
    screen: (channelId) => renderScreen(world, id, channelId),
    click(target) {
      const hit = locate(target, isButton);
      if ('modal' in hit.on) throw new Error('A modal has no buttons but its own: submit() or closeModal()');
      return act(world, id, hit, hit.on.message);
    },
    select(target, options) {
      const hit = locate(target, (control) => control.options.length > 0);
      const value = choose(hit, options);
      fill(hit, value);
      return 'modal' in hit.on ? undefined : act(world, id, hit, hit.on.message, value);
    },
    type(target, text) {
      const hit = locate(target, (control) => control.kind === 'text_input');
      if (codePoints(text) > hit.control.maxLength) {
        throw new Error(`The input takes at most ${hit.control.maxLength} characters, not ${codePoints(text)}`);
      }
      if (!hit.control.multiline && text.includes('\n')) throw new Error('The input has one line only');
      fill(hit, { text });
    },
    submit() {
      const modal = front();
      if (modal.busy) throw new Error('The modal is busy with an earlier submit');
      return submitModal(world, modal);
    },
    closeModal() {
      world.modals.close(front());
    },
    command(channelId, name) {
      renderScreen(world, id, channelId);
      const channel = world.guilds.channel(channelId);
      const command = channel && world.commands.find(name, channel.guildId);
      if (!channel || !command) throw new Error(`There is no command /${name} here`);
      return world.interactions.start({
        kind: 2,
        userId: id,
        channelId,
        command: name,
        payload: (interactionId, token) => ({
          ...commandInteraction(world, { id: interactionId, token }, id, channel, command),
        }),
      });
    },
    say(channelId, text) {
      const channel = world.guilds.channel(channelId);
      if (!channel || !sees(world, channel, id)) throw new Error(`${user.name} cannot write there`);
      if (channel.thread?.archived && channel.thread.locked) throw new Error('The thread is locked');
      wake(world, channel);
      const nothing = { components: [], embeds: [], files: [], flags: 0 };
      const mentions = { everyone: false, users: [], roles: [] };
      return world.messages.add({ ...nothing, channelId, authorId: id, content: text, mentions }).id;
    },
    reload() {
      world.messages.dropEphemerals(id);
      const modal = world.modals.of(id);
      if (modal) world.modals.close(modal);
    },
    stale: (channelId) => stale(world, id, channelId),
  };
}

function stale(world: World, id: string, channelId: string): StaleScreen {
  const screen: Screen = renderScreen(world, id, channelId);
  const then = new Map(world.messages.all(channelId).map((one) => [one.id, { ...one }]));
  return {
    screen,
    click(target) {
      const sources: Sources = { message: (messageId) => then.get(messageId), modal: undefined };
      const hit = find({ ...screen, modals: [] }, target, sources, isButton);
      if ('modal' in hit.on) throw new Error('A modal has no buttons but its own');
      const old = hit.on.message;
      // The client sends what it shows; Discord adds the message as it is by now.
      return act(world, id, hit, world.messages.find(channelId, old.id) ?? old);
    },
  };
}

function isButton(control: ScreenControl): boolean {
  return control.kind === 'button' && control.style !== 'link';
}
