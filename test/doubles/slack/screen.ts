import { asObj, asText, type Obj } from '../json.ts';
import type { MessageRecord } from './messages.ts';
import { surfaceOf } from './payloads/block-actions.ts';
import { controlsOf, plainOf, renderBlocks } from './render/blocks.ts';
import { createDirectory } from './render/directory.ts';
import { createPen, type Pen } from './render/text.ts';
import type { Screen, ScreenAuthor, ScreenFile, ScreenHome, ScreenMessage, ScreenModal, UserRecord } from './types.ts';
import type { ViewRecord } from './views.ts';
import type { World } from './world.ts';

/** Screens as they were drawn last; with a thousand cards and many onlookers, drawing anew each time is too slow. */
const drawn = new WeakMap<World, Map<string, { readonly revision: number; readonly screen: Screen }>>();
const bodies = new WeakMap<MessageRecord, Map<string, { readonly stamp: string; readonly body: Body }>>();

type Body = Pick<ScreenMessage, 'notification' | 'text' | 'blocks' | 'controls'>;

/** What a person would see of a channel, with their modals and the app's Home tab. */
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
  const user = world.workspace.users.get(userId);
  const channel = world.workspace.channels.get(channelId);
  if (!user) throw new Error(`The Slack double has no user ${userId}`);
  if (!channel) throw new Error(`The Slack double has no channel ${channelId}`);
  const guest = user.is_restricted || user.is_stranger;
  if (!channel.members.has(userId) && (channel.is_private || guest)) {
    throw new Error(`${user.name} is not in #${channel.name} and cannot see it`);
  }
  const pen = createPen(createDirectory(world.workspace));
  const seen = world.messages.all(channelId).filter((one) => (one.ephemeralTo ?? userId) === userId);
  const draw = (one: MessageRecord): ScreenMessage => renderMessage(world, user, one, seen, pen);
  const home = world.views.home(userId);
  return {
    user: author(world, userId),
    channel: { id: channel.id, name: channel.name, isPrivate: channel.is_private },
    messages: seen.filter((one) => !one.threadTs || one.broadcast).map(draw),
    modals: world.views.stack(userId).map((view) => renderModal(world, view, pen)),
    ...(home ? { home: renderHome(world, home, pen) } : {}),
  };
}

function renderMessage(
  world: World,
  user: UserRecord,
  message: MessageRecord,
  seen: readonly MessageRecord[],
  pen: Pen,
): ScreenMessage {
  const replies = message.threadTs ? [] : seen.filter((one) => one.threadTs === message.ts);
  return {
    ts: message.ts,
    ...(message.threadTs ? { threadTs: message.threadTs } : {}),
    author: author(world, message.user),
    at: message.at,
    ...renderBody(world, user, message, pen),
    files: message.files.flatMap((id) => renderFile(world, id)),
    edited: message.edited !== undefined,
    ephemeral: message.ephemeralTo !== undefined,
    broadcast: message.broadcast,
    tombstone: message.tombstone,
    warnings: world.warnings.of(surfaceOf(user.id, message)),
    replies: replies.map((one) => renderMessage(world, user, one, seen, pen)),
  };
}

function renderBody(world: World, user: UserRecord, message: MessageRecord, pen: Pen): Body {
  const surface = surfaceOf(user.id, message);
  const { users, channels, groups } = world.workspace;
  const names = users.size + channels.size + groups.size;
  const stamp = `${message.version}:${world.forms.version(surface)}:${names}`;
  const known = bodies.get(message) ?? new Map<string, { readonly stamp: string; readonly body: Body }>();
  bodies.set(message, known);
  const last = known.get(user.id);
  if (last?.stamp === stamp) return last.body;
  const blocks = renderBlocks(message.blocks, pen, { forms: world.forms, surface });
  const text = pen.message(message.text, { autoLink: message.autoLink, names: message.parseNames });
  const body = { notification: text.plain || plainOf(blocks), text, blocks, controls: controlsOf(blocks) };
  known.set(user.id, { stamp, body });
  return body;
}

function renderModal(world: World, view: ViewRecord, pen: Pen): ScreenModal {
  const { body } = view;
  const blocks = renderBlocks(body['blocks'] as Obj[], pen, { forms: world.forms, surface: view.id }, view.errors);
  const words = (key: string) => (body[key] ? pen.text(asObj(body[key]), `/view/${key}`).plain : undefined);
  const externalId = asText(body['external_id']);
  const submit = words('submit');
  return {
    viewId: view.id,
    callbackId: asText(body['callback_id']),
    ...(externalId ? { externalId } : {}),
    title: words('title') ?? '',
    ...(submit === undefined ? {} : { submit }),
    close: words('close') ?? 'Cancel',
    blocks,
    controls: controlsOf(blocks),
    errors: view.errors,
    ...(view.trouble ? { trouble: view.trouble } : {}),
    busy: view.busy,
  };
}

function renderHome(world: World, view: ViewRecord, pen: Pen): ScreenHome {
  const blocks = renderBlocks(view.body['blocks'] as Obj[], pen, { forms: world.forms, surface: view.id });
  return { viewId: view.id, blocks, controls: controlsOf(blocks) };
}

function author(world: World, id: string): ScreenAuthor {
  const user = world.workspace.users.get(id);
  return { id, name: user?.real_name ?? id, isBot: user?.is_bot ?? false };
}

function renderFile(world: World, id: string): ScreenFile[] {
  const file = world.files.get(id);
  if (!file) return [];
  return [{ id, name: file.name, title: file.title, size: file.length, content: file.content?.toString() ?? '' }];
}
