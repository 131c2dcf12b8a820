import type { Clock } from '../clock.ts';
import type { Events } from './events.ts';
import type { ApiCall, Mention, Violation } from './types.ts';

export interface Log {
  readonly violations: Violation[];
  readonly calls: ApiCall[];
  readonly mentions: Mention[];
  violation(method: string, pointer: string, rule: string, message: string): void;
  mention(mention: Mention): void;
}

export function createLog(clock: Clock, events: Events): Log {
  const log: Log = {
    violations: [],
    calls: [],
    mentions: [],
    violation(method, pointer, rule, message) {
      const violation = { at: clock.now(), method, pointer, rule, message };
      log.violations.push(violation);
      events.emit('violation', violation);
    },
    mention(mention) {
      log.mentions.push(mention);
      events.emit('mention', mention);
    },
  };
  return log;
}
