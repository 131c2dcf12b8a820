import { asText, codePoints, isObj, type Obj } from '../../json.ts';
import { storedBlocks } from '../block-kit/stored.ts';
import { checkMessageBlocks } from '../block-kit/surfaces.ts';
import type { MessageRecord } from '../messages.ts';
import { renderBlocks } from '../render/blocks.ts';
import { createDirectory } from '../render/directory.ts';
import { createPen } from '../render/text.ts';
import type { World } from '../world.ts';
import { ApiError } from './api-error.ts';
import type { Args } from './arguments.ts';

/** What a message says: the arguments that chat.postMessage, chat.update, ephemerals and response URLs share. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly Obj[] | undefined;
  readonly metadata: Obj | undefined;
  readonly parseNames: boolean;
  readonly autoLink: boolean;
  readonly warnings: readonly string[];
}

export const contentArguments = {
  text: 'text',
  blocks: 'json',
  metadata: 'json',
  parse: 'text',
  link_names: 'flag',
  mrkdwn: 'flag',
  unfurl_links: 'flag',
  unfurl_media: 'flag',
} as const;

const TEXT_MAX = 40_000;
const METADATA_BYTES_MAX = 8000;

export function readContent(args: Args, world: World): Content {
  const { blocks, metadata } = args;
  if (blocks !== undefined) {
    const verdict = checkMessageBlocks(blocks);
    if (verdict.error) throw new ApiError(verdict.error, verdict.issues);
  }
  if (metadata !== undefined) checkMetadata(metadata);
  const whole = asText(args['text']).replace(/&(?!(?:amp|lt|gt);)/g, '&amp;');
  const text = codePoints(whole) > TEXT_MAX ? [...whole].slice(0, TEXT_MAX).join('') : whole;
  return {
    text,
    blocks: blocks === undefined ? undefined : storedBlocks(blocks as unknown[], () => world.random.id('', 5)),
    metadata: isObj(metadata) ? metadata : undefined,
    parseNames: args['parse'] === 'full' || args['link_names'] === true,
    autoLink: args['parse'] !== 'none',
    warnings: text === whole ? [] : ['message_truncated'],
  };
}

function checkMetadata(metadata: unknown): void {
  const fine =
    isObj(metadata) &&
    (Object.keys(metadata).length === 0 ||
      (typeof metadata['event_type'] === 'string' && isObj(metadata['event_payload'])));
  if (!fine) {
    throw new ApiError('invalid_metadata_format', [
      { pointer: '/metadata', message: 'must have event_type and event_payload' },
    ]);
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES_MAX) {
    throw new ApiError('metadata_too_large', [{ pointer: '/metadata', message: 'must be at most 8 kB' }]);
  }
}

/** Records every ping and link that took effect in what the bot sent. */
export function recordMentions(world: World, method: string, message: MessageRecord): void {
  const { channel, ts } = message;
  const pen = createPen(createDirectory(world.workspace), (found, pointer) =>
    world.log.mention({ ...found, method, pointer, channel, ts }),
  );
  pen.message(message.text, { autoLink: message.autoLink, names: message.parseNames });
  renderBlocks(message.blocks, pen, { forms: world.forms, surface: ts });
}
