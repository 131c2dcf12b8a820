/** How much of each kind of agent text a card shows. `preview: 0` = only that there is one. */
export interface Sizes {
  readonly question: number;
  readonly label: number;
  readonly description: number;
  readonly preview: number;
  /** What people typed: Other and notes. */
  readonly typed: number;
}

/**
 * Largest first. Nearly every card fits the first; the last fits Slack's wall whatever is asked: four questions with nine
 * options each, every text a megabyte long.
 */
export const SIZES: readonly Sizes[] = [
  { question: 3_000, label: 600, description: 1_200, preview: 2_500, typed: 3_000 },
  { question: 1_500, label: 300, description: 600, preview: 800, typed: 1_200 },
  { question: 600, label: 220, description: 320, preview: 300, typed: 500 },
  { question: 300, label: 100, description: 80, preview: 0, typed: 200 },
];

/** A modal shows texts whole as far as a view may weigh (250 kB). */
export const FORM_SIZES: readonly Sizes[] = [
  { question: 12_000, label: 3_000, description: 6_000, preview: 12_000, typed: 0 },
  { question: 3_000, label: 600, description: 1_200, preview: 2_500, typed: 0 },
  { question: 1_000, label: 300, description: 300, preview: 600, typed: 0 },
];

/** The first drawing that is within `limit`, else the last one, which always is. */
export function firstThatFits<T>(
  sizes: readonly Sizes[],
  draw: (sizes: Sizes) => T,
  measure: (drawn: T) => number,
  limit: number,
): T {
  const [first, ...rest] = sizes;
  if (first === undefined) throw new RangeError('no sizes to choose from');
  let drawn = draw(first);
  for (const smaller of rest) {
    if (measure(drawn) <= limit) break;
    drawn = draw(smaller);
  }
  return drawn;
}
