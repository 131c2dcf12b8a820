import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import { RedisExamination } from '../../store/redis/examine.ts';
import { bounded } from './bounded.ts';
import { type Examination, roleOf } from './examination.ts';
import { type Finding, fail, failed, ok, warn } from './finding.ts';

/** Each question to Redis is bounded by itself; this is for the lot of them in one check. */
const CHECK_MS = 6_000;

/** Round trips longer than this are felt: a click takes several. Ours, in ms. */
const SLOW_MS = 50;

/**
 * Examines the shared store. Resolves to it while it can be used, for whoever looks further; the caller closes it.
 */
export async function examineRedis(examination: Examination): Promise<RedisExamination | undefined> {
  const { config, clock, log, newId, signal, report } = examination;
  if (config.redis === undefined) {
    report(ok('redis.server', 'No Redis is configured: each run talks to Slack itself, one at a time for a token.'));
    return undefined;
  }
  const within = (what: string) => ({ ms: CHECK_MS, what, signal });
  let redis: RedisExamination;
  try {
    const opening = RedisExamination.open({ url: config.redis.url.reveal(), clock, log });
    redis = await bounded(clock, within('Connecting to Redis'), opening);
  } catch (thrown) {
    report(failed('redis.server', thrown, 'Check redis.url (HANDRAISE_REDIS_URL) and the server.'));
    return undefined;
  }
  const { version, persistent, evicts } = redis.server;
  report(ok('redis.server', `Redis ${version} answers.`));
  report(persistenceOf(persistent));
  if (evicts === true) {
    report(
      warn(
        'redis.memory',
        'This Redis throws keys away when its memory is full, open questions among them.',
        'Set maxmemory-policy noeviction, or give handraise a Redis of its own.',
      ),
    );
  }
  const look = async (check: Finding['check'], what: string, cure: string, make: () => Promise<Finding[]>) => {
    try {
      for (const finding of await bounded(clock, within(what), make())) report(finding);
    } catch (thrown) {
      report(failed(check, thrown, cure));
    }
  };
  await look(
    'redis.latency',
    'Measuring Redis',
    'Look at the load of the server and the network between.',
    async () => {
      const { median, worst } = await redis.roundTrips();
      const took = `A round trip takes ${median.toFixed(1)} ms (the longest of 20: ${worst.toFixed(1)} ms)`;
      return [
        median <= SLOW_MS
          ? ok('redis.latency', `${took}.`)
          : warn('redis.latency', `${took}; a click takes several.`, 'Run Redis nearer to gateways and runs.'),
      ];
    },
  );
  await look('redis.pubsub', 'A wake-up over Redis', PUBSUB_CURE, async () => {
    const ms = await redis.wakeUp(newId);
    return [ok('redis.pubsub', `A wake-up is heard after ${ms.toFixed(1)} ms.`)];
  });
  await look('redis.rights', 'Asking Redis for rights', RIGHTS_CURE, () => rightsOf(redis, roleOf(config)));
  return redis;
}

const PUBSUB_CURE = 'Allow the channels that docs/deploy.md lists; a proxy in between has to pass pub/sub on.';
const RIGHTS_CURE = 'Give the user the rules that docs/deploy.md lists.';

function persistenceOf(persistent: boolean | undefined): Finding {
  if (persistent === true) return ok('redis.persistence', 'What it holds survives its restart (appendonly yes).');
  if (persistent === undefined) {
    return ok('redis.persistence', 'Whether its contents survive a restart, this user may not ask (INFO).');
  }
  return warn(
    'redis.persistence',
    'This Redis keeps nothing on disk: its restart loses open questions and recorded answers.',
    'Set appendonly yes in its configuration.',
  );
}

async function rightsOf(redis: RedisExamination, role: ReturnType<typeof roleOf>): Promise<Finding[]> {
  const as = role === 'gateway' ? 'gateway' : 'owner';
  try {
    const { lacking, excessive } = await redis.rights(as);
    const findings: Finding[] = [];
    if (lacking.length > 0) {
      const whom = as === 'gateway' ? 'a gateway' : 'runs';
      findings.push(
        fail(
          'redis.rights',
          `This Redis user is too narrow for ${whom}: it may not ${lacking.join('; ')}.`,
          RIGHTS_CURE,
        ),
      );
    }
    if (excessive.length > 0) {
      findings.push(
        warn(
          'redis.rights',
          `This Redis user may do more than runs need: ${excessive.join('; ')}. An agent that gets hold of it could.`,
          'Give runs a Redis user of their own, with the rules that docs/deploy.md lists.',
        ),
      );
    }
    if (findings.length > 0) return findings;
    return [
      ok(
        'redis.rights',
        as === 'gateway'
          ? 'This Redis user may do what a gateway does.'
          : 'This Redis user may do what runs need, and no more.',
      ),
    ];
  } catch (thrown) {
    if (!sentenceOf(thrown).includes('NOPERM')) throw thrown;
    throw new HandraiseError('This Redis user may not run scripts (EVAL, EVALSHA)', {
      code: 'store',
      hint: RIGHTS_CURE,
    });
  }
}
