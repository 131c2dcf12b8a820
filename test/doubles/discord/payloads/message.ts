import type { APIAttachment, APIMessage, APIMessageTopLevelComponent, APIUser } from 'discord-api-types/v10';
import type { MessageRecord } from '../messages.ts';
import { FLAGS } from '../messages.ts';
import type { World } from '../world.ts';
import { threadPayload } from './channels.ts';
import { userPayload } from './people.ts';

/**
 * A message as REST and the gateway hand it out. `blank`: its content is another's and the app has no message content
 * intent.
 */
export function messagePayload(
  world: World,
  message: MessageRecord,
  opts: { readonly blank?: boolean } = {},
): APIMessage {
  const thread = world.guilds.channel(message.id);
  const known = (id: string): APIUser[] => {
    const user = world.guilds.users.get(id);
    return user ? [userPayload(user)] : [];
  };
  const [author] = known(message.authorId);
  if (!author) throw new Error(`The Discord double has no user ${message.authorId}`);
  const replied = message.replyTo === undefined ? undefined : world.messages.find(message.channelId, message.replyTo);
  const hidden = opts.blank === true && message.authorId !== world.bot.id;
  return {
    id: message.id,
    channel_id: message.channelId,
    author,
    type: message.type,
    content: hidden ? '' : message.content,
    timestamp: new Date(message.at).toISOString(),
    edited_timestamp: message.editedAt === undefined ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    mention_everyone: message.mentions.everyone,
    mentions: message.mentions.users.flatMap(known),
    mention_roles: [...message.mentions.roles],
    attachments: hidden ? [] : message.files.map((file) => attachment(world, message, file)),
    embeds: hidden || message.flags & FLAGS.suppressEmbeds ? [] : ([...message.embeds] as APIMessage['embeds']),
    pinned: false,
    flags: message.flags,
    components: (hidden ? [] : message.components) as unknown as APIMessageTopLevelComponent[],
    ...(message.nonce === undefined ? {} : { nonce: message.nonce }),
    ...(message.authorId === world.bot.id && message.interaction
      ? { application_id: world.applicationId, webhook_id: world.applicationId }
      : {}),
    ...(message.interaction ? { interaction_metadata: metadata(world, message) } : {}),
    ...(message.replyTo === undefined
      ? {}
      : {
          message_reference: { type: 0, message_id: message.replyTo, channel_id: message.channelId },
          referenced_message: replied ? messagePayload(world, replied, opts) : null,
        }),
    ...(thread?.thread ? { thread: threadPayload(thread) } : {}),
  } satisfies APIMessage;
}

function metadata(world: World, message: MessageRecord): NonNullable<APIMessage['interaction_metadata']> {
  const { id = '', userId = '', type = 3, messageId = message.id } = message.interaction ?? {};
  const user = world.guilds.users.get(userId);
  if (!user) throw new Error(`The Discord double has no user ${userId}`);
  const common = { id, user: userPayload(user), authorizing_integration_owners: {} };
  if (type === 2) return { ...common, type };
  const click = { ...common, type: 3 as const, interacted_message_id: messageId };
  // Of a modal only what it was opened from is known here: a click, whose own id nobody reads.
  return type === 3 ? click : { ...common, type, triggering_interaction_metadata: click };
}

function attachment(world: World, message: MessageRecord, file: MessageRecord['files'][number]): APIAttachment {
  const url = `http://${world.host()}/attachments/${message.channelId}/${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    filename: file.name,
    size: file.content.length,
    url,
    proxy_url: url,
    content_type: file.type,
    ...(file.description === undefined ? {} : { description: file.description }),
  } satisfies APIAttachment;
}
