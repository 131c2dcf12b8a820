import { describe } from 'vitest';
import { answers } from './surface-adapter/answers.ts';
import { cards } from './surface-adapter/cards.ts';
import type { MakeStage } from './surface-adapter/harness.ts';
import { proposals } from './surface-adapter/proposals.ts';

export type { MakeStage, SurfaceStage } from './surface-adapter/harness.ts';

/**
 * What every chat adapter has to do, told through the port and through what a person sees and does. `makeStage` gives a
 * fresh platform with Ana in a channel for each test.
 */
export function surfaceAdapterContract(name: string, makeStage: MakeStage): void {
  describe(`${name} keeps the contract of a chat adapter:`, () => {
    answers(makeStage);
    cards(makeStage);
    proposals(makeStage);
  });
}
