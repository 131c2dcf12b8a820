import type { ApiCall } from '../types.ts';
import type { World } from '../world.ts';
import type { Answer } from './dispatch.ts';

/** The POST to an `upload_url`: raw bytes, or one multipart field. */
export function upload(world: World, path: string, contentType: string, body: Buffer, call: ApiCall): Answer {
  const file = world.files.byPath(path);
  if (!file) return { status: 404, type: 'text/plain', body: 'not found' };
  const content = contentType.startsWith('multipart/form-data') ? firstPart(body, contentType) : body;
  if (content.length !== file.length) {
    const message = `${content.length} bytes came where ${file.length} were announced`;
    world.log.violation('upload', '', 'upload_length', message);
    return { status: 500, type: 'text/plain', body: message };
  }
  file.content = content;
  call.applied = true;
  return { status: 200, type: 'text/plain', body: `OK - ${content.length}` };
}

function firstPart(body: Buffer, contentType: string): Buffer {
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(contentType);
  const mark = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  const start = body.indexOf('\r\n\r\n', body.indexOf(mark));
  const end = body.indexOf(`\r\n${mark}`, start);
  return start < 0 || end < 0 ? Buffer.alloc(0) : body.subarray(start + 4, end);
}
