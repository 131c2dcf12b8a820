import type { Finding, Level } from './finding.ts';
import type { Setting } from './settings.ts';

/** The line, and for what is not ok a second one with what to do. */
export function findingInWords(finding: Finding): string {
  const line = `${MARKS[finding.level]}  ${finding.check.padEnd(CHECK_WIDTH)} ${oneLine(finding.what)}`;
  return finding.level === 'ok' ? line : `${line}\n${' '.repeat(INDENT)}→ ${oneLine(finding.cure)}`;
}

/** One line a value, in columns. */
export function settingsInWords(settings: readonly Setting[]): string {
  if (settings.length === 0) return 'Nothing is configured: neither by flags and environment nor by a file.';
  const names = Math.max(...settings.map(({ name }) => name.length));
  const values = Math.min(40, Math.max(...settings.map(({ value }) => value.length)));
  return settings
    .map(({ name, value, origin }) => `${name.padEnd(names)}  ${value.padEnd(values)}  ${origin}`)
    .join('\n');
}

/** "2 failures, 1 warning" */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  if (failures + warnings === 0) return 'Everything is in order.';
  return [
    ...(failures === 0 ? [] : [`${failures} failure${failures === 1 ? '' : 's'}`]),
    ...(warnings === 0 ? [] : [`${warnings} warning${warnings === 1 ? '' : 's'}`]),
  ].join(', ');
}

/** Of equal width. */
const MARKS: Readonly<Record<Level, string>> = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' };

/** The longest check, so that sentences begin in one column. */
const CHECK_WIDTH = 'configuration.bindings'.length;
const INDENT = 'FAIL  '.length + CHECK_WIDTH + 1;

/** What a server or a file said may hold line breaks and control characters; a terminal would obey them. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ').replaceAll(/\p{Cc}/gu, '?');
}
