import type { UploadedFile } from './route.ts';

/** Discord's limit of a whole request. */
export const BODY_BYTES_MAX = 25 * 1024 * 1024;

/** JSON, or a multipart body with `payload_json` and `files[n]`. Undefined: neither. */
export async function readBody(
  type: string,
  body: Buffer,
): Promise<{ readonly json: unknown; readonly files: readonly UploadedFile[] } | undefined> {
  if (body.length === 0) return { json: {}, files: [] };
  if (type.startsWith('application/json')) {
    const json = parse(body.toString());
    return json === undefined ? undefined : { json, files: [] };
  }
  if (!type.startsWith('multipart/form-data')) return undefined;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const files: UploadedFile[] = [];
  for (const [key, value] of form) {
    const [, index] = /^files\[(\d+)\]$/.exec(key) ?? [];
    if (typeof value === 'string' || index === undefined) continue;
    files.push({
      index: Number(index),
      name: value.name,
      type: value.type || 'application/octet-stream',
      content: Buffer.from(await value.arrayBuffer()),
    });
  }
  const payload = form.get('payload_json');
  return { json: typeof payload === 'string' ? (parse(payload) ?? {}) : {}, files };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller answers 50109.
    return undefined;
  }
}
