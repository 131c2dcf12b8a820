import { readFile, stat } from 'node:fs/promises';
import type { Config } from '../config/schema.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import { readSigningKey, readVerdictKey, type SigningKey } from '../trust/keys.ts';

/** The gateway's key: from the environment, else from the file. Throws `configuration` without one, with the cure. */
export async function signingKeyOf({ gateway = {}, trust }: Config, log: Logger): Promise<SigningKey> {
  const pinned = trust?.verdictKeys ?? [];
  const { signingKey, signingKeyFile } = gateway;
  const key =
    signingKey === undefined
      ? await keyInFile(signingKeyFile, log)
      : readSigningKey(signingKey.reveal(), 'HANDRAISE_SIGNING_KEY');
  // Where the gateway and its runs share a configuration, a key that is left out of it is found now, not at a click.
  if (pinned.length > 0 && !pinned.some((one) => readVerdictKey(one).keyId === key.keyId)) {
    throw new HandraiseError('The public key of this gateway is not among the verdict keys it was given itself.', {
      code: 'configuration',
      hint: `Add ${key.verdictKey} to trust.verdictKeys (HANDRAISE_VERDICT_KEYS), here and for every run; see docs/deploy.md.`,
    });
  }
  return key;
}

async function keyInFile(path: string | undefined, log: Logger): Promise<SigningKey> {
  if (path === undefined) {
    throw new HandraiseError('Over Redis a gateway signs what people decide, and it has no key.', {
      code: 'configuration',
      hint: 'Make one with `handraise gateway keys new`, and name it in gateway.signingKeyFile or HANDRAISE_SIGNING_KEY_FILE.',
    });
  }
  let text: string;
  try {
    text = await readFile(path, 'utf8');
    const { mode } = await stat(path);
    if ((mode & 0o007) !== 0) {
      log.warn({ path }, 'every user of this host can read the signing key, and could forge answers: chmod 600');
    }
  } catch (thrown) {
    throw new HandraiseError(`cannot read the signing key: ${sentenceOf(thrown)}`, {
      code: 'configuration',
      hint: 'Correct the path in gateway.signingKeyFile or HANDRAISE_SIGNING_KEY_FILE, or the mode of the file.',
      cause: thrown,
    });
  }
  return readSigningKey(text.trim(), `the signing key file ${path}`);
}
