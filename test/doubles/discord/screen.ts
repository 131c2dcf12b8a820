import { asList, asObj, asText, type Obj } from '../json.ts';
import { surfaceOf } from './forms.ts';
import { sees } from './gateway/tell.ts';
import { FLAGS, type MessageRecord } from './messages.ts';
import type { ModalRecord } from './modals.ts';
import { nameOf } from './payloads/people.ts';
import { controlsOf, drawComponents, type Pen, plainOf } from './render/components.ts';
import { createDirectory } from './render/directory.ts';
import { drawMarkdown } from './render/markdown.ts';
import type {
  GuildRecord,
  Screen,
  ScreenAuthor,
  ScreenEmbed,
  ScreenMessage,
  ScreenModal,
  UserRecord,
} from './types.ts';
import type { World } from './world.ts';

/** Screens as they were drawn last: with many cards and onlookers, drawing anew each time is too slow. */
const drawn = new WeakMap<World, Map<string, { readonly revision: number; readonly screen: Screen }>>();

/** What a person would see of a channel, thread or direct message, with their modal. */
export function renderScreen(world: World, userId: string, channelId: string): Screen {
  const screens = drawn.get(world) ?? new Map<string, { readonly revision: number; readonly screen: Screen }>();
  drawn.set(world, screens);
  const key = `${userId}:${channelId}`;
  const last = screens.get(key);
  const revision = world.revision();
  if (last?.revision === revision) return last.screen;
  const screen = render(world, userId, channelId);
  screens.set(key, { revision, screen });
  return screen;
}

function render(world: World, userId: string, channelId: string): Screen {
  const user = world.guilds.users.get(userId);
  const channel = world.guilds.channel(channelId);
  if (!user) throw new Error(`The Discord double has no user ${userId}`);
  if (!channel) throw new Error(`The Discord double has no channel ${channelId}`);
  const guild = world.guilds.guildOf(channel);
  if (!sees(world, channel, userId)) throw new Error(`${nameOf(user, guild)} cannot see #${channel.name}`);
  const seen = world.messages.all(channelId).filter((one) => (one.ephemeralTo ?? userId) === userId);
  const modal = world.modals.of(userId);
  return {
    user: author(user, guild),
    channel: {
      id: channel.id,
      name: channel.name,
      kind: channel.type === 1 ? 'dm' : channel.thread ? 'thread' : 'text',
      archived: channel.thread?.archived ?? false,
    },
    messages: seen.map((one) => renderMessage(world, user, guild, one)),
    modals: modal ? [renderModal(world, modal, guild)] : [],
  };
}

function renderMessage(
  world: World,
  user: UserRecord,
  guild: GuildRecord | undefined,
  message: MessageRecord,
): ScreenMessage {
  const pen = penFor(world, guild, surfaceOf(message.id, user.id));
  const components = drawComponents(message.components, pen);
  const text = pen.text(message.content);
  const thread = world.guilds.channel(message.id);
  const by = world.guilds.users.get(message.authorId);
  const command = message.interaction?.command;
  return {
    id: message.id,
    author: by ? author(by, guild) : { id: message.authorId, name: 'Deleted User', isBot: false },
    at: message.at,
    notification: text.plain || plainOf(components),
    text,
    embeds: message.flags & FLAGS.suppressEmbeds ? [] : message.embeds.map((one) => renderEmbed(one, pen)),
    components,
    controls: controlsOf(components),
    files: message.files.map(({ id, name, content }) => ({
      id,
      name,
      size: content.length,
      content: content.toString(),
    })),
    edited: message.editedAt !== undefined,
    ephemeral: message.ephemeralTo !== undefined,
    thinking: (message.flags & FLAGS.loading) !== 0,
    failed: message.failed,
    ...(command === undefined ? {} : { command }),
    ...(thread?.thread
      ? {
          thread: {
            id: thread.id,
            name: thread.name,
            messages: thread.thread.messageCount,
            archived: thread.thread.archived,
          },
        }
      : {}),
    warnings: world.warnings.of(user.id, message.id),
    pingsYou: pingsYou(user, guild, message),
  };
}

function pingsYou(user: UserRecord, guild: GuildRecord | undefined, { mentions }: MessageRecord): boolean {
  const roles = guild?.members.get(user.id)?.roles;
  return mentions.everyone || mentions.users.includes(user.id) || mentions.roles.some((id) => roles?.has(id));
}

function renderEmbed(of: Obj, pen: Pen): ScreenEmbed {
  const title = asText(of['title']);
  const description = asText(of['description']);
  const footer = asText(asObj(of['footer'])['text']);
  return {
    ...(title === '' ? {} : { title: pen.text(title) }),
    ...(description === '' ? {} : { description: pen.text(description) }),
    fields: asList(of['fields']).map((one) => ({
      name: pen.text(asText(asObj(one)['name'])),
      value: pen.text(asText(asObj(one)['value'])),
    })),
    ...(footer === '' ? {} : { footer }),
    ...(typeof of['color'] === 'number' ? { color: of['color'] } : {}),
  };
}

function renderModal(world: World, modal: ModalRecord, guild: GuildRecord | undefined): ScreenModal {
  const components = drawComponents(modal.components, { ...penFor(world, guild, modal.key), errors: modal.errors });
  return {
    customId: modal.customId,
    title: modal.title,
    components,
    controls: controlsOf(components),
    errors: modal.errors,
    ...(modal.trouble ? { trouble: modal.trouble } : {}),
    busy: modal.busy,
  };
}

function penFor(world: World, guild: GuildRecord | undefined, surface: string): Pen {
  const names = createDirectory(world, guild);
  return { text: (source) => drawMarkdown(source, names), forms: world.forms, surface, errors: {} };
}

function author(user: UserRecord, guild: GuildRecord | undefined): ScreenAuthor {
  return { id: user.id, name: nameOf(user, guild), isBot: user.bot };
}
