/** Prometheus' text format, read strictly: what cannot be read throws. */
export interface Exposition {
  /** Name → its sentence and kind. */
  readonly described: ReadonlyMap<string, { readonly help: string; readonly type: string }>;
  /** `name{label="value"}` as it stands → value. */
  readonly samples: ReadonlyMap<string, number>;
}

export function parseExposition(text: string): Exposition {
  const help = new Map<string, string>();
  const described = new Map<string, { help: string; type: string }>();
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') help.set(name, rest);
    else if (keyword === 'TYPE') described.set(name, { help: help.get(name) ?? '', type: rest });
    else {
      const [, series = '', value = ''] = /^(\w+(?:\{(?:\w+="[^"]*",?)+\})?) (\S+)$/.exec(line) ?? [];
      if (series === '' || samples.has(series)) throw new Error(`not a sample, or one that was there already: ${line}`);
      samples.set(series, /^nan$/i.test(value) ? Number.NaN : Number(value.replace('Inf', 'Infinity')));
    }
  }
  return { described, samples };
}

/** What `sum()` over several gateways gives, for every series of ours. */
export function summed(expositions: readonly Exposition[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { samples } of expositions) {
    for (const [series, value] of samples) {
      if (series.startsWith('handraise_')) sums[series] = (sums[series] ?? 0) + value;
    }
  }
  return sums;
}
