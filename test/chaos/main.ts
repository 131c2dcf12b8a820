import { parseArgs } from 'node:util';
import { percentile } from '../bench/figures.ts';
import { CHAT_PLATFORMS } from './history.ts';
import type { Fault } from './judge.ts';
import { type ChaosResult, runChaos } from './run.ts';

/**
 * `npm run chaos -- --seed 7 --requests 300`: many agents, gateways and people over one Redis, while a seeded plan kills,
 * cuts and delays. `--faults none` is the calm run. Prints what happened; the last line is one JSON object. Exits 1 on
 * any violation, 2 for arguments it does not understand.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '300' },
    /** Every request has a card on each. */
    platforms: { type: 'string', default: CHAT_PLATFORMS.join() },
    /** Mean milliseconds between two faults, or `none`. */
    faults: { type: 'string', default: '900' },
    gateways: { type: 'string', default: '3' },
    owners: { type: 'string', default: '8' },
    channels: { type: 'string', default: '25' },
    faster: { type: 'string', default: '20' },
    /** Milliseconds an owner may be away; default the real 30 s. */
    lease: { type: 'string' },
    /** Seconds after which nothing more is asked and no fault happens. */
    most: { type: 'string', default: '300' },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const options = {
  platforms: platformsOf(values.platforms),
  ...{ seed: whole('seed'), requests: whole('requests'), gateways: whole('gateways'), owners: whole('owners') },
  ...{ channels: whole('channels'), faster: whole('faster'), mostMs: whole('most') * 1_000 },
  faultEveryMs: values.faults === 'none' ? undefined : whole('faults'),
  leaseMs: values.lease === undefined ? undefined : whole('lease'),
  say,
};
say(
  `seed ${options.seed}: ${options.requests} questions of ${options.owners} owners in ${options.channels} channels ` +
    `of ${options.platforms.join(' and ')}, ` +
    `${options.gateways} gateways; the doubles take bursts of 5 posts a channel and count rate limits on a clock ` +
    `${options.faster} times faster; faults ${options.faultEveryMs === undefined ? 'none' : `every ${options.faultEveryMs} ms`}`,
);
const result = await runChaos(options);
for (const { fault, key, what } of result.judged.violations) say(`VIOLATION: ${fault}: ${key}: ${what}`);
for (const platform of options.platforms) {
  const took = result.judged.settleMs[platform];
  say(
    `${platform}: ${took.length} cards settled, worst ${Math.max(0, ...took)} ms, median ${percentile(took, 0.5)} ms`,
  );
}
if (result.folder !== undefined) say(`logs and notes are in ${result.folder}`);
say(JSON.stringify({ ...summaryOf(result), seed: options.seed, faster: options.faster }));
process.exitCode = result.judged.violations.length + result.failures.length > 0 ? 1 : 0;

function summaryOf({ judged, failures, faults, people, asked, tookMs }: ChaosResult) {
  const settleMs = Object.values(judged.settleMs).flat();
  const count = (fault: Fault) => judged.violations.filter((violation) => violation.fault === fault).length;
  return {
    requests: asked,
    outcomes: judged.outcomes,
    lost: count('lost'),
    duplicated: count('duplicated'),
    misdelivered: count('misdelivered'),
    unsettled: count('unsettled'),
    falselyShown: count('falselyShown'),
    late: count('late'),
    unaudited: count('unaudited'),
    failures: failures.length,
    cardsSettled: settleMs.length,
    worstSettleMs: Math.max(0, ...settleMs),
    worstSettleMsOn: Object.fromEntries(
      options.platforms.map((platform) => [platform, Math.max(0, ...judged.settleMs[platform])]),
    ),
    medianSettleMs: percentile(settleMs, 0.5),
    worstClaimToSettledMs: Math.max(0, ...judged.claimToSettledMs),
    worstEndMs: Math.max(0, ...judged.endMs),
    people,
    faults,
    tookMs,
  };
}

function whole(
  name: 'seed' | 'requests' | 'faults' | 'gateways' | 'owners' | 'channels' | 'faster' | 'lease' | 'most',
) {
  const text = values[name] ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  process.stderr.write(`--${name} must be a whole number, not "${text}"\n`);
  process.exit(2);
}

function platformsOf(text: string) {
  const wanted = text.split(',').map((one) => one.trim());
  const known = CHAT_PLATFORMS.filter((platform) => wanted.includes(platform));
  if (known.length > 0 && known.length === wanted.length) return known;
  process.stderr.write(`--platforms must be ${CHAT_PLATFORMS.join(', ')} or one of them, not "${text}"\n`);
  process.exit(2);
}
