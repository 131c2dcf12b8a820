import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { configDirectory } from '../config/home.ts';
import { loadConfig } from '../config/load.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { signingKeyOf } from '../gateway/signing-key.ts';
import { openLog } from '../observe/log.ts';
import { newSigningKey } from '../trust/keys.ts';
import { EXIT } from './exit-codes.ts';

export interface NewKeysOptions {
  readonly out?: string;
}

export interface ShowKeysOptions {
  readonly config?: string;
}

/** `handraise gateway keys new`: writes the private key, prints the public one and what to do with both. */
export async function newKeys({ out }: NewKeysOptions): Promise<number> {
  const file = out === undefined ? join(configDirectory(process.env), 'gateway.key') : resolve(out);
  const { key, text } = newSigningKey();
  // The directory of an own file may be missing; that of a file somebody named must be meant.
  if (out === undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeOnce(file, `${text}\n`);
  process.stdout.write(
    [
      `The private key is in ${file}; only you can read it. Its public key:`,
      '',
      key.verdictKey,
      '',
      'Every gateway gets the private key, and no run may:',
      `  gateway.signingKeyFile: ${file}    or HANDRAISE_SIGNING_KEY_FILE`,
      'Every run gets the public key (several, with commas, while keys are changed):',
      `  trust.verdictKeys: [${key.verdictKey}]`,
      '  or HANDRAISE_VERDICT_KEYS',
      '',
    ].join('\n'),
  );
  return EXIT.ok;
}

/** `handraise gateway keys show`: the public key of the configured signing key, alone on a line, for scripts. */
export async function showKeys({ config: file }: ShowKeysOptions): Promise<number> {
  const log = openLog({ stderr: true, level: 'warn' });
  try {
    const key = await signingKeyOf(await loadConfig({ flags: { config: file }, env: process.env }), log);
    process.stdout.write(`${key.verdictKey}\n`);
    return EXIT.ok;
  } finally {
    log.close();
  }
}

/** A file that was there is somebody's key: it is never written to, nor what a link of that name leads to. */
function writeOnce(file: string, text: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw new HandraiseError(
      exists ? `${file} exists already; a key is never overwritten` : `cannot write the key: ${sentenceOf(cause)}`,
      {
        code: 'configuration',
        hint: exists
          ? 'Name another file with --out; docs/deploy.md tells how keys are changed.'
          : 'Name a file in a directory that you may write to with --out.',
        cause,
      },
    );
  }
}
