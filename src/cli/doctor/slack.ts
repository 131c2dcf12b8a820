import { HandraiseError } from '../../core/errors.ts';
import type { SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import { slackExaminerOf } from '../../gateway/examiner.ts';
import { acquireTokenLock } from '../../gateway/token-lock.ts';
import { settleCards } from './abandoned.ts';
import { bounded } from './bounded.ts';
import { type Examination, roleOf } from './examination.ts';
import { fail, failed, ok, warn } from './finding.ts';
import type { GatewaysFound } from './gateways.ts';

/** What the other parts go on with. */
export interface ExaminedSlack {
  readonly examiner: SurfaceExaminer;
  /** Channels in which a message was posted. */
  readonly channels: ReadonlySet<string>;
  /** Slack greets a connection, and nobody else has the token: a run could start now. */
  readonly isFree: boolean;
}

/** For one call (2.5 s each) and a few of them. */
const CALLS_MS = 10_000;

/** Slack's own limit for a hello is 10 s, the ticket before it takes a call. */
const GREETING_MS = 15_000;

/** Token, scopes, connection, channels. Undefined where there is no token, or none that Slack accepts. */
export async function examineSlack(
  examination: Examination,
  gateways: GatewaysFound,
): Promise<ExaminedSlack | undefined> {
  const { config, clock, log, newId, report } = examination;
  const bound = config.bindings.some(({ slack }) => slack !== undefined);
  const hasToken = config.slack.botToken !== undefined || config.slack.appToken !== undefined;
  if (!hasToken && (roleOf(config) === 'owner' || !bound)) return undefined;
  let examiner: SurfaceExaminer;
  try {
    examiner = slackExaminerOf(config, { clock, log, newId });
  } catch (thrown) {
    report(failed('slack.token', thrown, 'docs/slack.md tells where Slack shows the tokens.'));
    return undefined;
  }
  if (!(await identified(examination, examiner))) return undefined;
  const isFree = await connected(examination, examiner, gateways);
  return { examiner, channels: await postable(examination, examiner), isFree };
}

async function identified({ clock, signal, report }: Examination, examiner: SurfaceExaminer): Promise<boolean> {
  try {
    const asked = { ms: CALLS_MS, what: 'Asking Slack whose token this is', signal };
    const { workspace, missing } = await bounded(clock, asked, examiner.identify());
    report(ok('slack.token', `Slack knows the bot token: ${workspace}.`));
    const scopeCure = 'Add it under "OAuth & Permissions", then reinstall the app to the workspace.';
    for (const scope of missing.always)
      report(fail('slack.scopes', `The bot token lacks the scope ${scope}.`, scopeCure));
    for (const scope of missing.sometimes) {
      const where = scope.startsWith('groups') ? 'private' : 'public';
      report(
        warn('slack.scopes', `The bot token lacks the scope ${scope}: ${where} channels cannot be used.`, scopeCure),
      );
    }
    for (const scope of missing.forInbox) {
      const sentence = `The bot token lacks the scope ${scope}: the Home tab cannot list what is open.`;
      report(warn('slack.scopes', sentence, scopeCure));
    }
    if (Object.values(missing).every((scopes) => scopes.length === 0))
      report(ok('slack.scopes', 'It has every scope it needs.'));
    return missing.always.length === 0;
  } catch (thrown) {
    report(failed('slack.token', thrown, 'Check SLACK_BOT_TOKEN and the network.'));
    return false;
  }
}

/** A second connection would get clicks that are meant for the first: it is tried only while there is none. */
async function connected(
  examination: Examination,
  examiner: SurfaceExaminer,
  gateways: GatewaysFound,
): Promise<boolean> {
  const { config, clock, signal, report } = examination;
  if (gateways !== 'none') {
    const why = gateways === 'unknown' ? 'one may be connected' : 'one is connected';
    report(ok('slack.connection', `Not tried, to take no click from a gateway: ${why}.`));
    return false;
  }
  const token = config.slack.botToken?.reveal() ?? '';
  let release: () => Promise<void>;
  try {
    const lock = await acquireTokenLock(token);
    release = () => lock.release();
  } catch (thrown) {
    const isTaken = thrown instanceof HandraiseError && thrown.code === 'token_in_use';
    if (!isTaken) report(failed('slack.connection', thrown, 'Look at what holds the lock of the token.'));
    else
      report(
        warn(
          'slack.connection',
          `Not tried: ${thrown.message} A connection from here would get its clicks.`,
          'Run doctor again when it has ended. The connection and the self-test were left out.',
        ),
      );
    return false;
  }
  try {
    const asked = { ms: GREETING_MS, what: 'Connecting to Slack', signal };
    const begun = clock.now();
    const connections = await bounded(clock, asked, examiner.greet());
    report(ok('slack.connection', `Slack greets a connection of the app-level token (${clock.now() - begun} ms).`));
    if (connections !== undefined && connections > 1) {
      report(
        warn(
          'slack.others',
          `The app has ${connections - 1} other connection${connections === 2 ? '' : 's'}, of a run or gateway elsewhere: Slack deals clicks out over all of them.`,
          'Let runs on several hosts ask through `handraise gateway` (docs/deploy.md), or give each an app of its own.',
        ),
      );
    }
    await settleCards(examination, examiner, token);
    return true;
  } catch (thrown) {
    report(
      failed('slack.connection', thrown, 'Check SLACK_APP_TOKEN, and that Socket Mode is on in the app’s settings.'),
    );
    return false;
  } finally {
    await release();
  }
}

async function postable(
  { config, clock, signal, report }: Examination,
  examiner: SurfaceExaminer,
): Promise<Set<string>> {
  const channels = new Set(config.bindings.flatMap(({ slack }) => slack?.channel ?? []));
  const good = new Set<string>();
  for (const channel of channels) {
    if (signal.aborted) break;
    try {
      const asked = { ms: CALLS_MS, what: `Posting to ${channel}`, signal };
      const { removed } = await bounded(clock, asked, examiner.tryPlace({ platform: 'slack', channel }));
      good.add(channel);
      if (removed) report(ok('slack.channel', `${channel} can be posted to (a test message was posted and deleted).`));
      else {
        report(
          warn(
            'slack.channel',
            `${channel} can be posted to, but the test message could not be deleted.`,
            'Delete it by hand.',
          ),
        );
      }
    } catch (thrown) {
      const failure = failed(
        'slack.channel',
        thrown,
        'Run doctor again in a minute; docs/slack.md lists what Slack says, and what to do.',
      );
      report({ ...failure, what: `${channel}: ${failure.what}` });
    }
  }
  return good;
}
