import { asList, asObj, asText, type Obj } from '../../json.ts';
import { type FileRecord, FLAGS, type MessageRecord, type NewMessage } from '../messages.ts';
import type { Issue } from '../rules/check.ts';
import { mediaCount, processedBytes } from '../rules/components.ts';
import { isV2, messageBody } from '../rules/message.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import { readMentions } from './mentions.ts';
import type { RestRequest, UploadedFile } from './route.ts';
import { storedComponents } from './stored.ts';

/** Flags an app may set on a message: suppress embeds, suppress notifications, components V2. */
const SETTABLE = FLAGS.suppressEmbeds | (1 << 12) | FLAGS.componentsV2;

/** discord-api-docs#8554 and #7528: over these Discord answers 500. */
const PROCESSED_BYTES_MAX = 10_170;
const MEDIA_MAX = 64;

export type Content = Pick<NewMessage, 'content' | 'components' | 'embeds' | 'files' | 'flags' | 'mentions'>;

export interface DraftOptions {
  /** Path of the message within the body: `data` in a callback. */
  readonly at?: readonly string[];
  readonly body: Obj;
  readonly existing?: MessageRecord;
  /** Interactions mention users only unless told otherwise. */
  readonly interaction: boolean;
  /** Operation in Discord's published description. */
  readonly spec: { readonly operation: string; readonly body: unknown };
}

/** Checks the body of a message, an edit or a response, and says what the message is after it. */
export function readMessage(request: RestRequest, options: DraftOptions): Content {
  const { world, files: uploads } = request;
  const { body, existing, at = [], interaction, spec } = options;
  const issues: Issue[] = [];
  const files = keptFiles(world, body, existing, uploads, issues, at);
  const given = typeof body['flags'] === 'number' ? body['flags'] : undefined;
  const before = existing?.flags ?? 0;
  const flags =
    given === undefined ? before : (before & ~SETTABLE) | (given & SETTABLE) | (before & FLAGS.componentsV2);
  const merged = merge(body, existing);
  messageBody({ path: at, issues }, { body: merged, v2: isV2(flags), files: files.map((one) => one.name) });
  if (issues.length > 0) throw new ApiError(50035, { issues });
  const unfit = world.spec.check(spec.operation, spec.body);
  if (unfit.length > 0) throw new ApiError(50035, { issues: unfit });
  const components = asList(merged['components']) as readonly Obj[];
  if (isV2(flags) && (processedBytes(components) > PROCESSED_BYTES_MAX || mediaCount(components) > MEDIA_MAX)) {
    throw new ApiError(0, {
      issues: [{ path: [...at, 'components'], code: 'TOO_LARGE', message: 'more than 10170 bytes or 64 pictures' }],
    });
  }
  const content = asText(merged['content']);
  const embeds = asList(merged['embeds']) as readonly Obj[];
  const empty = isV2(flags)
    ? components.length === 0
    : content.trim() === '' && embeds.length === 0 && files.length === 0;
  if (empty) throw new ApiError(50006);
  const mentions = readMentions(
    content,
    components,
    asObj(body['allowed_mentions']),
    'allowed_mentions' in body,
    interaction,
  );
  return { content, embeds, files, components: storedComponents(components), flags: flags & ~FLAGS.loading, mentions };
}

/** What an edit leaves out stays; null empties it. */
function merge(body: Obj, existing: MessageRecord | undefined): Obj {
  if (!existing) return body;
  return {
    ...body,
    content: 'content' in body ? body['content'] : existing.content,
    embeds: 'embeds' in body ? body['embeds'] : existing.embeds,
    components: 'components' in body ? body['components'] : existing.components,
  };
}

/** Uploaded files, and those of the message that an edit keeps. */
function keptFiles(
  world: World,
  body: Obj,
  existing: MessageRecord | undefined,
  uploads: readonly UploadedFile[],
  issues: Issue[],
  at: readonly string[],
): readonly FileRecord[] {
  const listed = Array.isArray(body['attachments']) ? (body['attachments'] as unknown[]).map(asObj) : undefined;
  const kept = (existing?.files ?? []).filter((file) => !listed || listed.some((one) => String(one['id']) === file.id));
  for (const [index, one] of (listed ?? []).entries()) {
    const id = String(one['id']);
    if (uploads.some((file) => String(file.index) === id) || kept.some((file) => file.id === id)) continue;
    const message = `Attachment data was not found for files[${id}]`;
    issues.push({ path: [...at, 'attachments', index], code: 'ATTACHMENT_NOT_FOUND', message });
  }
  const fresh = uploads.map((file): FileRecord => {
    const about = listed?.find((one) => String(one['id']) === String(file.index));
    const description = asText(about?.['description']);
    return {
      id: world.ids.next(),
      name: asText(about?.['filename']) || file.name,
      type: file.type,
      content: file.content,
      ...(description === '' ? {} : { description }),
    };
  });
  return [...kept, ...fresh];
}
