// Making one takes far longer than using it.
const TIME = formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const TIME_SECS = formatter({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const DAY = formatter({ month: 'long', day: 'numeric' });
const LONG = formatter({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
const LONG_FULL = formatter({ month: 'long', day: 'numeric', year: 'numeric' });
const SHORT = formatter({ month: 'short', day: 'numeric', year: 'numeric' });

/** Slack's date tokens, drawn for a reader in UTC. Undefined when the time or a token is none: then the fallback shows. */
export function date(seconds: number, format: string): string | undefined {
  const at = new Date(seconds * 1000);
  if (!Number.isFinite(at.getTime()) || format === '') return undefined;
  const time = TIME.format(at);
  const day = DAY.format(at);
  const long = LONG.format(at);
  const short = SHORT.format(at);
  const tokens: Readonly<Record<string, string>> = {
    time,
    time_secs: TIME_SECS.format(at),
    date: day,
    date_pretty: day,
    date_long: long,
    date_long_pretty: long,
    date_long_full: LONG_FULL.format(at),
    date_short: short,
    date_short_pretty: short,
    date_num: at.toISOString().slice(0, 10),
    date_slash: at.toISOString().slice(0, 10).replaceAll('-', '/'),
    day_divider_pretty: day,
    ago: `at ${time}`,
  };
  let known = true;
  const drawn = format.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const value = tokens[name];
    if (value === undefined) known = false;
    return value ?? '';
  });
  return known ? drawn : undefined;
}

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options });
}
