import type { Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import { environmentSecrets, type KnownSecret } from '../core/redact/known.ts';
import { createRedactor, type Redactor } from '../core/redact/redactor.ts';
import { secretPositions } from '../gate/redact/secret-positions.ts';

/**
 * Masks what leaves this process: its own secrets, those of its environment, what stands in a command where secrets stand,
 * and what is shaped like one.
 */
export function processRedactor(config: Config, environment: NodeJS.ProcessEnv): Redactor {
  const known = [...configuredSecrets(config), ...environmentSecrets(environment)];
  return createRedactor({ known, locate: secretPositions });
}

function configuredSecrets({ slack, discord, redis, gateway }: Config): KnownSecret[] {
  const tokens: readonly (readonly [Secret | undefined, string])[] = [
    [slack.botToken, 'slack'],
    [slack.appToken, 'slack'],
    [discord?.botToken, 'discord'],
    [gateway?.signingKey, 'signing-key'],
  ];
  const password = passwordIn(redis?.url.reveal() ?? '');
  return [
    ...tokens.flatMap(([secret, kind]) => (secret === undefined ? [] : [{ value: secret.reveal(), kind }])),
    ...(password === undefined ? [] : [{ value: password, kind: 'redis' }]),
  ];
}

/** Any URL's, also those of several Sentinels, which `URL` does not read. */
function passwordIn(url: string): string | undefined {
  const written = /^[a-z][a-z0-9+-]*:\/\/[^@/]*?:([^@/]+)@/.exec(url)?.[1];
  if (written === undefined) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    // A percent sign that stands for itself.
    return written;
  }
}
