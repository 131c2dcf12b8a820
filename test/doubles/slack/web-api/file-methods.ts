import { asList, asObj, asText } from '../../json.ts';
import type { FileRecord } from '../files.ts';
import type { World } from '../world.ts';
import { writableChannel } from './access.ts';
import { ApiError } from './api-error.ts';
import { threadOf } from './chat.ts';
import { readContent, recordMentions } from './content.ts';
import type { Method } from './method.ts';

export const fileMethods: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': {
    token: 'bot',
    scopes: ['files:write'],
    tier: 4,
    required: { filename: 'text', length: 'number' },
    optional: { alt_text: 'text', snippet_type: 'text' },
    run(args, world) {
      const length = Number(args['length']);
      if (length <= 0) throw new ApiError('invalid_arguments', [{ pointer: '/length', message: 'must be positive' }]);
      const file = world.files.begin(String(args['filename']), length);
      return { upload_url: `http://${world.host()}${file.uploadPath}`, file_id: file.id };
    },
  },
  'files.completeUploadExternal': {
    token: 'bot',
    scopes: ['files:write'],
    tier: 4,
    required: { files: 'json' },
    optional: { channel_id: 'text', initial_comment: 'text', thread_ts: 'ts', blocks: 'json' },
    run(args, world) {
      const named = asList(args['files']).map(asObj);
      const files = named.map((one) => uploaded(world, asText(one['id'])));
      const channel = args['channel_id'] === undefined ? undefined : writableChannel(world, args['channel_id']).id;
      const threadTs = channel === undefined ? undefined : threadOf(world, channel, args['thread_ts']);
      const { text, blocks } = readContent({ text: args['initial_comment'], blocks: args['blocks'] }, world);
      for (const [i, file] of files.entries()) {
        file.title = asText(named[i]?.['title']) || file.name;
        file.shared = channel !== undefined;
      }
      if (channel !== undefined) {
        const message = world.messages.add({
          channel,
          user: world.workspace.botUserId,
          text,
          blocks: blocks ?? [],
          parseNames: false,
          autoLink: true,
          files: files.map((file) => file.id),
          ...(threadTs ? { threadTs } : {}),
        });
        recordMentions(world, 'files.completeUploadExternal', message);
      }
      return { files: files.map((file) => ({ id: file.id, title: file.title, name: file.name, size: file.length })) };
    },
  },
};

function uploaded(world: World, id: string): FileRecord {
  const file = world.files.get(id);
  if (!file?.content) throw new ApiError('file_not_found');
  return file;
}
