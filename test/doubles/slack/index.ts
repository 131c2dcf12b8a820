export { createClock } from './clock.ts';
export { startSlackDouble } from './double.ts';
export { drawScreen } from './draw.ts';
export type * from './types.ts';
