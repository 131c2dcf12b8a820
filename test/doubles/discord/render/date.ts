/** A `<t:…>` of Discord, in the reader's time zone; times have 24 hours. */
export function drawDate(seconds: number, style: string, now: number): string {
  const date = new Date(seconds * 1000);
  if (style === 'R') return relative(seconds * 1000 - now);
  const day = date.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric' });
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  switch (style) {
    case 't':
      return time;
    case 'T':
      return date.toLocaleTimeString('en-GB');
    case 'd':
      return date.toLocaleDateString('en-US');
    case 'D':
      return day;
    case 'F':
      return `${date.toLocaleDateString('en-US', { weekday: 'long' })}, ${day} at ${time}`;
    default:
      return `${day} at ${time}`;
  }
}

const UNITS = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

function relative(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => Math.abs(ms) >= one) ?? UNITS[UNITS.length - 1] ?? ['second', 1000];
  return new Intl.RelativeTimeFormat('en-US').format(Math.round(ms / size), unit);
}
