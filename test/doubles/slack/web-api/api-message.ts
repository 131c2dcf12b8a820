import type { MessageRecord } from '../messages.ts';
import type { World } from '../world.ts';

export interface ApiMessage {
  readonly type: 'message';
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly [member: string]: unknown;
}

/** A message as the Web API and payloads show it. `metadata` only for those who ask. */
export function apiMessage(world: World, message: MessageRecord, withMetadata = false): ApiMessage {
  const { workspace, messages } = world;
  const byBot = message.user === workspace.botUserId;
  const replies = messages.replies(message.channel, message.ts);
  const latest = replies.at(-1);
  return {
    type: 'message',
    ...(message.tombstone ? { subtype: 'tombstone', hidden: true } : {}),
    ...(message.broadcast ? { subtype: 'thread_broadcast' } : {}),
    user: message.user,
    ts: message.ts,
    ...(byBot ? { bot_id: workspace.botId, app_id: workspace.appId } : {}),
    text: message.text,
    team: workspace.teamId,
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.edited ? { edited: message.edited } : {}),
    ...(latest ? { thread_ts: message.ts, reply_count: replies.length, latest_reply: latest.ts } : {}),
    ...(message.files.length > 0
      ? { files: message.files.map((id) => ({ id, name: world.files.get(id)?.name })) }
      : {}),
    ...(withMetadata && message.metadata ? { metadata: message.metadata } : {}),
  };
}
