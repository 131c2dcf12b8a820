import type { Random } from './random.ts';

export interface FileRecord {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  readonly uploadPath: string;
  title: string;
  content?: Buffer;
  shared: boolean;
}

export interface FileStore {
  begin(name: string, length: number): FileRecord;
  byPath(path: string): FileRecord | undefined;
  get(id: string): FileRecord | undefined;
}

export function createFiles(random: Random): FileStore {
  const files = new Map<string, FileRecord>();
  return {
    begin(name, length) {
      const id = random.id('F');
      const file: FileRecord = {
        id,
        name,
        length,
        title: name,
        shared: false,
        uploadPath: `/upload/v1/${random.id('', 24)}`,
      };
      files.set(id, file);
      return file;
    },
    byPath: (path) => [...files.values()].find((file) => file.uploadPath === path),
    get: (id) => files.get(id),
  };
}
