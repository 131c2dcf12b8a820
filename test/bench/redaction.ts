import { createRedactor } from '../../src/core/redact/redactor.ts';
import { secretPositions } from '../../src/gate/redact/secret-positions.ts';
import { worstTexts } from '../support/worst-texts.ts';
import type { Figure } from './figures.ts';

const UNITS = 16_384;
const RUNS = 9;

/**
 * Masking 16 kB of ordinary text and of the worst texts there are, beside a loop that looks at every unit a hundred times:
 * about as many patterns there are, so that a ratio near 1 means each looks at each unit once.
 */
export async function benchRedaction(): Promise<Figure[]> {
  const redactor = createRedactor({ locate: secretPositions });
  const prose = 'The fox runs `npm test`, then edits src/core/a.ts; see https://example.com/a?b=c for more.\n'
    .repeat(200)
    .slice(0, UNITS);
  const worst = worstTexts(UNITS);
  for (const { text } of worst) redactor.text(text);
  const scan = { name: '100 plain scans', value: fastest(() => scanned(prose)) };
  const slowest = Math.max(...worst.map(({ text }) => fastest(() => redactor.text(text))));
  return [
    {
      name: 'masking 16 kB of prose',
      unit: 'ms',
      ours: fastest(() => redactor.text(prose)),
      baseline: scan,
      limit: 20,
    },
    // A rule that takes the square of its text is some 10,000 plain scans: far beyond this.
    { name: 'masking 16 kB, the worst of 90 texts', unit: 'ms', ours: slowest, baseline: scan, limit: 10 },
  ];
}

let sink = 0;

function scanned(text: string): void {
  for (let pass = 0; pass < 100; pass += 1) {
    for (let index = 0; index < text.length; index += 1) sink = (sink * 31 + text.charCodeAt(index)) | 0;
  }
}

/** The fastest of some runs: what the work costs when nothing else is done on this machine. */
function fastest(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const begun = performance.now();
    work();
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}
