import { isObj } from '../../json.ts';
import type { ResponseGrant } from '../passes.ts';
import type { ApiCall } from '../types.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import { type Args, type ArgTable, readArguments } from './arguments.ts';
import { threadOf } from './chat.ts';
import { contentArguments, readContent, recordMentions } from './content.ts';
import { type Answer, limited } from './dispatch.ts';

const ARGUMENTS: ArgTable = {
  optional: {
    ...contentArguments,
    response_type: 'text',
    replace_original: 'flag',
    delete_original: 'flag',
    thread_ts: 'ts',
  },
};

/** A POST to the `response_url` of an interaction: five times within half an hour, also about ephemeral messages. */
export function respond(world: World, path: string, call: ApiCall): Answer {
  const grant = world.passes.useResponseUrl(path);
  if (typeof grant === 'string') return refused(404, grant);
  const wait = world.limiter.post(`response_url:${grant.channel}`);
  if (wait > 0) return limited(wait);
  try {
    apply(world, grant, readArguments(ARGUMENTS, call.args));
    call.applied = true;
    return { status: 200, type: 'text/plain', body: 'ok' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    for (const issue of error.issues) world.log.violation('response_url', issue.pointer, error.code, issue.message);
    return refused(400, error.code);
  }
}

function apply(world: World, grant: ResponseGrant, args: Args): void {
  const { messages, workspace } = world;
  const original = messages.find(grant.channel, grant.messageTs);
  if (args['delete_original'] === true) {
    if (original) messages.remove(original);
    return;
  }
  const { warnings: _, metadata, blocks, ...content } = readContent(args, world);
  if (content.text === '' && (blocks?.length ?? 0) === 0) throw new ApiError('no_text');
  if (args['replace_original'] === true) {
    if (!original) throw new ApiError('message_not_found');
    Object.assign(original, content, { blocks: blocks ?? [] }, metadata ? { metadata } : {});
    if (!original.ephemeralTo) original.edited = { user: workspace.botUserId, ts: messages.newTs() };
    messages.changed(original);
    recordMentions(world, 'response_url', original);
    return;
  }
  const threadTs = threadOf(world, grant.channel, args['thread_ts']);
  const message = messages.add({
    channel: grant.channel,
    user: workspace.botUserId,
    ...content,
    blocks: blocks ?? [],
    ...(metadata ? { metadata } : {}),
    ...(threadTs ? { threadTs } : {}),
    ...(args['response_type'] === 'in_channel' ? {} : { ephemeralTo: grant.user }),
  });
  recordMentions(world, 'response_url', message);
}

function refused(status: number, error: string): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify({ ok: false, error }) };
}

/** A JSON body; anything else is the client's mistake. */
export function responseUrlBody(world: World, text: string): Args {
  try {
    const body: unknown = JSON.parse(text);
    if (isObj(body)) return body;
  } catch {
    // Falls through to the same complaint.
  }
  world.log.violation('response_url', '', 'invalid_payload', 'the body must be a JSON object');
  return {};
}
