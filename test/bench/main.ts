import { benchClassifier } from './classifier.ts';
import { benchClickOverRedis, benchClickToResult } from './click-to-result.ts';
import { benchColdStart } from './cold-start.ts';
import { type Figure, isWithinLimit, lineOf, ratioOf } from './figures.ts';
import { benchApprove, benchHook } from './gate.ts';
import { benchMemory } from './memory.ts';
import { benchPending } from './pending.ts';
import { benchRedaction } from './redaction.ts';
import { benchClaims, benchRedisPending } from './redis-store.ts';

/**
 * `npm run bench`: every figure beside the one it is a ratio of, measured in the same run, since these machines are
 * noisy. `-- --json` prints one object instead of lines. Exits 1 when a limit is missed.
 */
const asJson = process.argv.includes('--json');
const figures: Figure[] = [];
const BENCHES = [
  ...[benchColdStart, benchClickToResult, benchClickOverRedis, benchPending],
  ...[benchApprove, benchHook, benchClassifier],
  ...[benchRedisPending, benchClaims, benchMemory, benchRedaction],
];
for (const bench of BENCHES) {
  const measured = await bench();
  figures.push(...measured);
  if (!asJson) for (const figure of measured) process.stdout.write(`${lineOf(figure)}\n`);
}
if (asJson) {
  const withRatios = figures.map((figure) => ({
    ...figure,
    ratio: ratioOf(figure),
    withinLimit: isWithinLimit(figure),
  }));
  process.stdout.write(`${JSON.stringify({ node: process.version, figures: withRatios })}\n`);
}
process.exitCode = figures.every(isWithinLimit) ? 0 : 1;
