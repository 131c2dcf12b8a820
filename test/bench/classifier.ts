import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'unbash';
import { classifyCommand } from '../../src/gate/effects/classify.ts';
import { type Figure, percentile } from './figures.ts';

/** Each command is timed so often, in turns with the other side; its fastest counts, as anything else is the machine. */
const ROUNDS = 15;
const WARM_UP = 3;

/**
 * Microseconds a command of the labelled corpus takes to be classified, beside its bare parsing by the same grammar in
 * the same turns; and a command as long as one may be.
 */
export async function benchClassifier(): Promise<Figure[]> {
  const commands = corpus();
  const ours = commands.map(() => Number.POSITIVE_INFINITY);
  const bare = commands.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    for (const [at, command] of commands.entries()) {
      const [theirs, mine] = [microseconds(() => parse(command)), microseconds(() => classifyCommand(command))];
      if (round < WARM_UP) continue;
      bare[at] = Math.min(bare[at] ?? theirs, theirs);
      ours[at] = Math.min(ours[at] ?? mine, mine);
    }
  }
  const figure = (name: string, fraction: number): Figure => ({
    name: `classifying a command of the corpus, ${name}`,
    unit: 'µs',
    ours: percentile(ours, fraction),
    baseline: { name: 'parsing alone', value: percentile(bare, fraction) },
  });
  return [figure('p50', 0.5), figure('p99', 0.99), figure('worst', 1), longest()];
}

/** Ten thousand characters of commands, as many as fit in what is looked at. */
function longest(): Figure {
  const command = `${'grep -rn \'a b\' "$HOME"/src | head; '.repeat(100)}${'x'.repeat(6_400)}`.slice(0, 10_000);
  const sample = () => [microseconds(() => parse(command)), microseconds(() => classifyCommand(command))] as const;
  const samples = Array.from({ length: ROUNDS }, sample);
  const best = (side: 0 | 1) => Math.min(...samples.map((one) => one[side]));
  return {
    name: 'classifying 10,000 characters',
    unit: 'µs',
    ours: best(1),
    baseline: { name: 'parsing alone', value: best(0) },
  };
}

function microseconds(work: () => unknown): number {
  const begun = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - begun) / 1e3;
}

/** Credentials in the rows are cut in two by a mark, so that no tool takes them for real ones. */
function corpus(): string[] {
  return readFileSync(join(process.cwd(), 'test/fixtures/gate/bash-effects.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line.replaceAll('\u2042', '')) as { cmd: string }).cmd);
}
