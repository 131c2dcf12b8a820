/** One line of the benchmark: a figure, the figure it is a ratio of, and the bound that the ratio has to keep. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'MB' | 'kB' | 'µs' | '/s';
  readonly ours: number;
  /** Measured side by side in the same run; absent for figures with a bound of their own. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** Largest ratio to the baseline, or largest value where there is no baseline. Absent: printed only. */
  readonly limit?: number;
  /** What we want to reach. */
  readonly aim?: number;
}

/** The value at a fraction of the sorted samples (0.5 = median). */
export function percentile(samples: readonly number[], fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.ceil(fraction * sorted.length) - 1);
  return sorted[Math.max(0, index)] ?? Number.NaN;
}

export function ratioOf(figure: Figure): number | undefined {
  return figure.baseline === undefined ? undefined : figure.ours / figure.baseline.value;
}

/** Whether the figure is within its limit; one without a limit always is. */
export function isWithinLimit(figure: Figure): boolean {
  return figure.limit === undefined || (ratioOf(figure) ?? figure.ours) <= figure.limit;
}

/** "click → tool result, p50   1.71 ms   1.31 × raw hops (1.30 ms)   limit 3.0, aim 1.5". */
export function lineOf(figure: Figure): string {
  const ratio = ratioOf(figure);
  const bounds = [
    figure.limit === undefined ? '' : `limit ${figure.limit}`,
    figure.aim === undefined ? '' : `aim ${figure.aim}`,
  ].filter((bound) => bound !== '');
  return [
    figure.name.padEnd(46),
    `${figure.ours.toFixed(2)} ${figure.unit}`.padStart(11),
    figure.baseline === undefined || ratio === undefined
      ? ''
      : `  ${ratio.toFixed(2)} × ${figure.baseline.name} (${figure.baseline.value.toFixed(2)} ${figure.unit})`,
    bounds.length === 0 ? '' : `  [${bounds.join(', ')}${isWithinLimit(figure) ? '' : '; MISSED'}]`,
  ].join('');
}
