import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** A file of JSON lines whose last write survives the process's death by SIGKILL. */
export function openLines(path: string) {
  const file = openSync(path, 'a', 0o600);
  return {
    write: (line: object) => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}

/** Whole lines; one that was cut off by a kill is not there. A file that does not exist (yet) has none. */
export function readLines(path: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
