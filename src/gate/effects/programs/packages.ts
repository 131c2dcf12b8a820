import type { Rule } from '../rule.ts';
import { BUILDING } from './packages/building.ts';
import { LANGUAGES } from './packages/languages.ts';
import { NODE_PACKAGES } from './packages/node.ts';

/** Package managers, build and test tools. */
export const PACKAGES: Readonly<Record<string, Rule>> = { ...NODE_PACKAGES, ...BUILDING, ...LANGUAGES };
