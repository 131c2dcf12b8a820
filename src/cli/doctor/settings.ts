import type { Config, ValueOrigin } from '../../config/schema.ts';
import { Secret } from '../../config/secret.ts';
import { durationInWords } from '../../core/duration.ts';
import { sentenceOf } from '../../core/errors.ts';
import { parseRedisUrl, redisInWords } from '../../store/redis/address.ts';

/** One value handraise was told, and by what. */
export interface Setting {
  readonly name: string;
  /** For people. A secret is never in it. */
  readonly value: string;
  /** "SLACK_BOT_TOKEN", "/etc/handraise.yaml:3", "default" */
  readonly origin: string;
}

/** Every value of the configuration with its origin, by name. */
export function settingsOf(config: Config): Setting[] {
  const named = [...config.origins].map(([name, origin]) => ({
    name,
    value: name === 'redis.url' ? redisOf(config) : inWords(valueAt(config, name)),
    origin: originInWords(origin),
  }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The URL may hold a password, so that only where it leads is shown. */
function redisOf({ redis }: Config): string {
  if (redis === undefined) return 'none';
  try {
    return redisInWords(parseRedisUrl(redis.url.reveal()));
  } catch (thrown) {
    return sentenceOf(thrown);
  }
}

/** `bindings[0].questions.wait` → the value in there; durations are kept in `…Ms`. */
function valueAt(config: Config, name: string): unknown {
  const steps = name.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  return steps.reduce<unknown>((inside, step) => {
    if (typeof inside !== 'object' || inside === null) return undefined;
    const found: unknown = Reflect.get(inside, step);
    if (found !== undefined) return found;
    const ms: unknown = Reflect.get(inside, `${step}Ms`);
    return typeof ms === 'number' ? durationInWords(ms) : undefined;
  }, config);
}

function inWords(value: unknown): string {
  if (value instanceof Secret) return 'set, not shown';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not set');
}

function originInWords({ from, name }: ValueOrigin): string {
  return from === 'default' ? 'default' : name;
}
