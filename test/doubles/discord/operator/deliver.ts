import type { APIMessageComponentInteraction, APIModalSubmissionComponent } from 'discord-api-types/v10';
import type { MessageRecord } from '../messages.ts';
import { componentInteraction, modalInteraction } from '../payloads/interaction.ts';
import type { Deliver, ForgedAction, ForgedSubmission } from '../types.ts';
import type { World } from '../world.ts';

/** Injection past every check of what is on a screen. */
export function createDeliver(world: World): Deliver {
  const dispatch: Deliver['dispatch'] = (event, data, { connection } = {}) => {
    for (const session of world.hub.sessions.values()) {
      const at = [...world.hub.connections].find((one) => one.session === session);
      if (connection === undefined || at?.id === connection) world.hub.send(session, event, data);
    }
  };
  return {
    dispatch,
    again: (interaction, opts) => dispatch('INTERACTION_CREATE', interaction.payload, opts),
    action: (action) => forge(world, action),
    submission: (submission) => forgeSubmission(world, submission),
  };
}

function forge(world: World, action: ForgedAction) {
  const { user, channel: channelId, customId, values } = action;
  const channel = world.guilds.channel(channelId);
  if (!channel) throw new Error(`The Discord double has no channel ${channelId}`);
  const message = world.messages.find(channelId, action.message) ?? nothing(world, channelId, action.message);
  const data = {
    custom_id: customId,
    component_type: values ? 3 : 2,
    ...(values ? { values: [...values] } : {}),
  } as APIMessageComponentInteraction['data'];
  return world.interactions.start({
    kind: 3,
    userId: user,
    channelId,
    message,
    customId,
    payload: (id, token) => ({
      ...componentInteraction(world, { id, token }, user, channel, message, data),
      ...action.override,
    }),
  });
}

function forgeSubmission(world: World, submission: ForgedSubmission) {
  const { user, channel: channelId, customId, fields } = submission;
  const channel = world.guilds.channel(channelId);
  if (!channel) throw new Error(`The Discord double has no channel ${channelId}`);
  const message = world.messages.find(channelId, submission.message) ?? nothing(world, channelId, submission.message);
  const components = Object.entries(fields).map(([name, value], index): APIModalSubmissionComponent => {
    return { type: 18, id: index + 1, component: { type: 4, id: 0, custom_id: name, value } };
  });
  return world.interactions.start({
    kind: 5,
    userId: user,
    channelId,
    message,
    customId,
    payload: (id, token) => ({
      ...modalInteraction(world, { id, token }, user, channel, message, { custom_id: customId, components }),
      ...submission.override,
    }),
  });
}

function nothing(world: World, channelId: string, id: string): MessageRecord {
  return {
    id,
    channelId,
    authorId: world.bot.id,
    at: 0,
    type: 0,
    content: '',
    components: [],
    embeds: [],
    files: [],
    flags: 0,
    mentions: { everyone: false, users: [], roles: [] },
    failed: false,
    oldEdits: [],
    version: 0,
  };
}
