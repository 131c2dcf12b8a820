import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page's files by URL path, read once: no path from a request ever reaches the file system. */
export async function readPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = new URL('./page/', import.meta.url);
  const files = new Map<string, PageFile>();
  for (const name of await readdir(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    files.set(name === 'index.html' ? '/' : `/${name}`, { type, content: await readFile(new URL(name, folder)) });
  }
  return files;
}
