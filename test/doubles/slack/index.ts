/**
 * A Slack on loopback for tests and the playground: the Web API, Socket Mode, and the people in front of the screen.
 *
 * It knows less than Slack: direct messages, reactions, external and date selects, legacy attachments and video blocks
 * are refused, never passed over. Numbers that Slack does not publish (bursts, folding, closing delays) are guesses
 * marked as such where they stand.
 */
export { createClock } from '../clock.ts';
export { startSlackDouble } from './double.ts';
export { drawScreen } from './draw.ts';
export type * from './types.ts';
