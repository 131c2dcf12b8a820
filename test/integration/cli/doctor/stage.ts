import { examine } from '../../../../src/cli/doctor/examine.ts';
import type { Finding } from '../../../../src/cli/doctor/finding.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { newRandomId } from '../../../../src/core/ids.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../../../doubles/slack/index.ts';
import { createDesk, type Desk } from '../../../support/handraise.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { SESSION } from '../../../support/requests.ts';

/** What `doctor --json` prints. */
export interface Report {
  readonly v: number;
  readonly ok: boolean;
  readonly settings: readonly { readonly name: string; readonly value: string; readonly origin: string }[];
  readonly findings: readonly Finding[];
}

/** A Slack with one full member and one channel, and a desk to run doctor at. */
export interface DoctorStage {
  readonly slack: SlackDouble;
  readonly desk: Desk;
  readonly ana: string;
  readonly channel: string;
  /** Tokens and channel, for an embedded run. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs `handraise doctor --json` to its end. */
  run(env?: Readonly<Record<string, string>>): Promise<{ exitCode: number; report: Report }>;
  /** The same examination in this process, which spares the start of another; without an environment, the stage's. */
  examine(env?: Readonly<Record<string, string>>, config?: string): Promise<readonly Finding[]>;
  /** The messages anybody can see, tombstones included. */
  left(): number;
  close(): Promise<void>;
}

export async function openDoctorStage(options: SlackDoubleOptions = {}): Promise<DoctorStage> {
  const desk = createDesk();
  const slack = await startSlackDouble(options);
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
  slack.workspace.join(channel, slack.workspace.botUserId);
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    HANDRAISE_SLACK_CHANNEL: channel,
  };
  return {
    slack,
    desk,
    ana,
    channel,
    env,
    async run(given = env) {
      const { stdout, stderr, exitCode } = await desk.start(['doctor', '--json'], { env: { ...given } });
      const said = String(Buffer.from(stderr));
      if (said !== '') throw new Error(`doctor wrote to stderr: ${said}`);
      return { exitCode: exitCode ?? -1, report: JSON.parse(String(Buffer.from(stdout))) as Report };
    },
    async examine(given = env, file) {
      const findings: Finding[] = [];
      await examine({
        config: await loadConfig({ flags: { config: file }, env: { ...desk.env, ...given } }),
        env: given,
        session: SESSION,
        stateDirectory: desk.state,
        clock: systemClock,
        newId: newRandomId,
        log: recordingLog(),
        signal: new AbortController().signal,
        report: (finding) => findings.push(finding),
      });
      return findings;
    },
    left: () => slack.screen(ana, channel).messages.length,
    async close() {
      await slack.close();
      desk.remove();
    },
  };
}

/** The level and the words of each finding of a check. */
export function found(findings: Report['findings'], check: string): string[] {
  return findings.filter((finding) => finding.check === check).map(({ level, what }) => `${level}: ${what}`);
}

/** The first of a check, with what to do about it. */
export function cureOf(findings: Report['findings'], check: string): string | undefined {
  const one = findings.find((finding) => finding.check === check);
  return one !== undefined && one.level !== 'ok' ? one.cure : undefined;
}

/** Checks that are not ok. */
export function wrong(findings: Report['findings']): string[] {
  return findings.filter(({ level }) => level !== 'ok').map(({ check, level }) => `${level} ${check}`);
}
