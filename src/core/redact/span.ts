/** A piece of a text that is a secret. `kind` is what the mask says it is: lower-case letters, digits and hyphens. */
export interface SecretSpan {
  /** UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** What counts as the same secret, where the text holds it encoded. Default: the piece itself. */
  readonly of?: string;
}

/**
 * The spans in order and without overlaps: those that overlap become one, named after the one that was given first. Nothing
 * that was found by one rule is shown because another rule found a part of it.
 */
export function merged(spans: readonly SecretSpan[]): SecretSpan[] {
  const sorted = spans
    .map((span, rank) => ({ span, rank }))
    .filter(({ span }) => span.end > span.start)
    .sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const result: SecretSpan[] = [];
  let bestRank = Number.POSITIVE_INFINITY;
  for (const { span, rank } of sorted) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) {
      result.push(span);
      bestRank = rank;
      continue;
    }
    const kind = rank < bestRank ? span.kind : last.kind;
    const isSame = span.start === last.start && span.end === last.end;
    const of = isSame ? (last.of ?? span.of) : span.end <= last.end ? last.of : undefined;
    bestRank = Math.min(bestRank, rank);
    result[result.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      kind,
      ...(of === undefined ? {} : { of }),
    };
  }
  return result;
}
