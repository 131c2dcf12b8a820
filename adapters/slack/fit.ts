import * as fit from '../../src/core/fit.ts';

/** How text is measured: as it stands (rich_text), or with its entities (all other text objects). */
export type Measure = 'literal' | 'escaped';

/** Foreign text made visible and fitted into `limit`; what had to go is said and counted. */
export function shown(text: string, limit: number, options: { measure?: Measure; blanks?: number } = {}): string {
  const { measure = 'literal', blanks } = options;
  return fit.shown(text, limit, { cost: COSTS[measure], ...(blanks === undefined ? {} : { blanks }) });
}

/** The same on one line. */
export function shownLine(text: string, limit: number, measure: Measure = 'literal'): string {
  return fit.shownLine(text, limit, COSTS[measure]);
}

/** The same for text that is visible already: ours, or made so piece by piece. */
export function fitted(text: string, limit: number, measure: Measure = 'literal'): string {
  return fit.fitted(text, limit, COSTS[measure]);
}

/** Text that is visible already, with a bare "…" if it had to be cut: only where the whole text stands nearby. */
export function shortened(text: string, limit: number, measure: Measure = 'escaped'): string {
  return fit.shortened(text, limit, COSTS[measure]);
}

export function sizeOf(text: string, measure: Measure): number {
  return fit.sizeOf(text, COSTS[measure]);
}

/** What a character takes once it is escaped. */
const ENTITY: Readonly<Record<string, number>> = { '&': 5, '<': 4, '>': 4 };

const COSTS: Readonly<Record<Measure, fit.Cost>> = { literal: fit.LITERAL, escaped: (unit) => ENTITY[unit] ?? 1 };
