/** How much of each kind of agent text a card shows. `preview: 0` = only that there is one. */
export interface Sizes {
  readonly question: number;
  readonly header: number;
  readonly label: number;
  readonly description: number;
  readonly preview: number;
  /** What people typed: Other and notes. */
  readonly typed: number;
}

/**
 * Largest first. A card holds 4,000 characters in all and a little over 10 kB, so that long questions are cut here and
 * go along as a file; the last fits whatever is asked: four questions with nine options each, every text a megabyte of
 * three-byte characters.
 */
const SIZES: readonly Sizes[] = [
  { question: 1_600, header: 80, label: 300, description: 600, preview: 1_200, typed: 1_500 },
  { question: 800, header: 80, label: 200, description: 300, preview: 400, typed: 700 },
  { question: 400, header: 60, label: 120, description: 120, preview: 0, typed: 300 },
  { question: 200, header: 50, label: 70, description: 0, preview: 0, typed: 120 },
  { question: 80, header: 40, label: 38, description: 0, preview: 0, typed: 60 },
];

/** The first drawing that fits, else the last one, which always does. */
export function firstThatFits<T>(draw: (sizes: Sizes) => T, fits: (drawn: T) => boolean): T {
  const [first, ...rest] = SIZES;
  if (first === undefined) throw new RangeError('no sizes to choose from');
  let drawn = draw(first);
  for (const smaller of rest) {
    if (fits(drawn)) break;
    drawn = draw(smaller);
  }
  return drawn;
}
