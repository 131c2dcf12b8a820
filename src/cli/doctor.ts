import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { stateDirectory } from '../config/state-dir.ts';
import { systemClock } from '../core/clock.ts';
import { newRandomId } from '../core/ids.ts';
import { openLog } from '../observe/log.ts';
import { type SessionOptions, thisSession } from '../owner/session.ts';
import { type Finding, failed } from './doctor/finding.ts';
import { findingInWords, settingsInWords, summaryOf } from './doctor/render.ts';
import { type Setting, settingsOf } from './doctor/settings.ts';
import { EXIT, exitCodeOfSignal } from './exit-codes.ts';
import { watchSignals } from './signals.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface DoctorOptions extends Pick<SessionOptions, 'config' | 'workspace' | 'verbose'> {
  readonly json?: boolean;
}

/**
 * `handraise doctor`: looks at everything a question needs on its way, tries the way itself, and says what to do about
 * what is wrong. Returns 0 when nothing failed (warnings may have been given), 1 when something did, 128+n after a signal;
 * the report goes to stdout.
 */
export async function doctor(options: DoctorOptions): Promise<number> {
  const signals = watchSignals();
  const stray = catchStrayFailures();
  const { json = false, verbose = false } = options;
  const log = openLog({ stderr: verbose, level: verbose ? 'debug' : 'info' });
  stray.logTo(log);
  const print = (text: string) => {
    if (!json) process.stdout.write(`${text}\n`);
  };
  const findings: Finding[] = [];
  const report = (finding: Finding) => {
    findings.push(finding);
    print(findingInWords(finding));
  };
  const stop = new AbortController();
  let signal: NodeJS.Signals | undefined;
  void signals.first.then((first) => {
    signal = first;
    stop.abort();
  });
  try {
    const session = await thisSession({ name: 'script' }, options);
    const settings = await settle(options, report);
    if (settings !== undefined) {
      print(`${settingsInWords(settings.list)}\n`);
      // Only now: it loads Slack and Redis.
      const { examine } = await import('./doctor/examine.ts');
      const common = { session, clock: systemClock, newId: newRandomId, log, env: process.env, signal: stop.signal };
      await examine({ ...common, ...settings, report });
    }
    const isWell = findings.every(({ level }) => level !== 'fail');
    print(`\n${summaryOf(findings)}`);
    if (json) {
      process.stdout.write(`${JSON.stringify({ v: 1, ok: isWell, settings: settings?.list ?? [], findings })}\n`);
    }
    if (signal !== undefined) return exitCodeOfSignal(signal);
    return isWell ? EXIT.ok : EXIT.failed;
  } finally {
    signals.stop();
    stray.stop();
    log.close();
  }
}

/** What everything else stands on; undefined, and reported, when it cannot be had. */
async function settle(
  { config: file }: DoctorOptions,
  report: (finding: Finding) => void,
): Promise<{ config: Config; stateDirectory: string; list: readonly Setting[] } | undefined> {
  let config: Config;
  try {
    config = await loadConfig({ flags: { config: file }, env: process.env });
  } catch (thrown) {
    report(failed('configuration.values', thrown, 'docs/configuration.md lists every setting.'));
    return undefined;
  }
  try {
    return { config, stateDirectory: stateDirectory(process.env), list: settingsOf(config) };
  } catch (thrown) {
    report(failed('configuration.state', thrown, 'Set XDG_STATE_HOME to a directory of your own.'));
    return undefined;
  }
}
