import { createEvents as create, type Events as EventsOf } from '../events.ts';
import type { SlackEvents } from './types.ts';

export type Events = EventsOf<SlackEvents>;

export const createEvents = (): Events => create<SlackEvents>('the Slack double');
