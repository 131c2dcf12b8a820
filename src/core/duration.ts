import { HandraiseError } from './errors.ts';

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of "90s", "5m", "4h" or "1d". Throws `configuration` on anything else, naming the value. */
export function parseDuration(text: string): number {
  const match = /^(\d+)(s|m|h|d)$/.exec(text.trim());
  const unit = match?.[2] as keyof typeof UNITS | undefined;
  if (match?.[1] === undefined || unit === undefined) {
    throw new HandraiseError(`"${text}" is not a duration`, {
      code: 'configuration',
      hint: 'Write for example 90s, 5m or 4h.',
    });
  }
  return Number(match[1]) * UNITS[unit];
}

/** "5 minutes", "1 hour", "90 seconds": the largest unit that leaves no rest, so that nothing is rounded away. */
export function durationInWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds >= 3_600 && seconds % 3_600 === 0) return counted(seconds / 3_600, 'hour');
  if (seconds >= 60 && seconds % 60 === 0) return counted(seconds / 60, 'minute');
  return counted(seconds, 'second');
}

/** "just now", "12 s ago", "3 min ago", "2 h ago": how long since something, short enough for a private notice. */
export function agoInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds === 0) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  return `${Math.round(seconds / 3_600)} h ago`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
