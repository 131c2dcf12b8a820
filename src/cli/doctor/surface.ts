import type { Config } from '../../config/schema.ts';
import type { Platform } from '../../core/actor.ts';
import { HandraiseError } from '../../core/errors.ts';
import type { SurfaceAccount, SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import { examinerOf } from '../../gateway/examiner.ts';
import { acquireTokenLock } from '../../gateway/token-lock.ts';
import { settleCards } from './abandoned.ts';
import { bounded } from './bounded.ts';
import { type Examination, roleOf } from './examination.ts';
import { fail, failed, ok, warn } from './finding.ts';
import type { GatewaysFound } from './gateways.ts';
import { SURFACE_WORDS, type SurfaceWords } from './surface-words.ts';

/** What the other parts go on with. */
export interface ExaminedSurface {
  readonly examiner: SurfaceExaminer;
  /** Channels in which a message was posted. */
  readonly channels: ReadonlySet<string>;
  /** The platform greets a connection, and nobody else has the token: a run could start now. */
  readonly isFree: boolean;
}

/** For one call (2.5 s each) and a few of them. */
const CALLS_MS = 10_000;

/** Slack's own limit for a hello is 10 s, the ticket before it takes a call; Discord's adapter gives up after 15 s. */
const GREETING_MS = 16_000;

/** Token, connection, channels. Undefined where there is no token, or none that the platform accepts. */
export async function examineSurface(
  platform: Platform,
  examination: Examination,
  gateways: GatewaysFound,
): Promise<ExaminedSurface | undefined> {
  const { config, clock, log, newId, report } = examination;
  const words = SURFACE_WORDS[platform];
  const bound = config.bindings.some((binding) => binding[platform] !== undefined);
  if (!hasToken(config, platform) && (roleOf(config) === 'owner' || !bound)) return undefined;
  let examiner: SurfaceExaminer;
  try {
    examiner = await examinerOf(config, platform, { clock, log, newId });
  } catch (thrown) {
    report(failed(`${platform}.token`, thrown, `docs/${platform}.md tells where ${words.name} shows the token.`));
    return undefined;
  }
  if (!(await identified(examination, examiner, words))) return undefined;
  const isFree = await connected(examination, examiner, gateways, words);
  return { examiner, channels: await postable(examination, examiner, words), isFree };
}

function hasToken({ slack, discord }: Config, platform: Platform): boolean {
  if (platform === 'discord') return discord?.botToken !== undefined;
  return slack.botToken !== undefined || slack.appToken !== undefined;
}

async function identified(
  { clock, signal, report }: Examination,
  examiner: SurfaceExaminer,
  { name, tokenCure }: SurfaceWords,
): Promise<boolean> {
  const { platform } = examiner;
  try {
    const asked = { ms: CALLS_MS, what: `Asking ${name} whose token this is`, signal };
    const { workspace, missing, obstacles, invite } = await bounded(clock, asked, examiner.identify());
    report(ok(`${platform}.token`, `${name} knows the bot token: ${workspace}.`));
    if (platform === 'slack') reportScopes(missing, report);
    for (const { level, name: check, what, cure } of obstacles)
      report({ level, check: `${platform}.${check}`, what, cure });
    if (invite !== undefined) report(ok(`${platform}.invite`, `The link that adds the bot to a server: ${invite}`));
    return missing.always.length === 0 && obstacles.every(({ level }) => level !== 'fail');
  } catch (thrown) {
    report(failed(`${platform}.token`, thrown, tokenCure));
    return false;
  }
}

function reportScopes(missing: SurfaceAccount['missing'], report: Examination['report']): void {
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
}

/** A second connection would get clicks that are meant for the first: it is tried only while there is none. */
async function connected(
  examination: Examination,
  examiner: SurfaceExaminer,
  gateways: GatewaysFound,
  { name, tokensOf, connectionCure, whyNotTried, connects, others }: SurfaceWords,
): Promise<boolean> {
  const { config, clock, signal, report } = examination;
  const check = `${examiner.platform}.connection` as const;
  if (gateways !== 'none') {
    const why = gateways === 'unknown' ? 'one may be connected' : 'one is connected';
    report(ok(check, `Not tried, ${whyNotTried}: ${why}.`));
    return false;
  }
  const token = tokensOf(config);
  let release: () => Promise<void>;
  try {
    const lock = await acquireTokenLock(token, undefined, examiner.platform);
    release = () => lock.release();
  } catch (thrown) {
    const isTaken = thrown instanceof HandraiseError && thrown.code === 'token_in_use';
    if (!isTaken) report(failed(check, thrown, 'Look at what holds the lock of the token.'));
    else
      report(
        warn(
          check,
          `Not tried: ${thrown.message} ${connects.taken}`,
          'Run doctor again when it has ended. The connection and the self-test were left out.',
        ),
      );
    return false;
  }
  try {
    const asked = { ms: GREETING_MS, what: `Connecting to ${name}`, signal };
    const begun = clock.now();
    const connections = await bounded(clock, asked, examiner.greet());
    report(ok(check, `${name} greets a connection${connects.by} (${clock.now() - begun} ms).`));
    if (connections !== undefined && connections > 1) {
      report(
        warn(
          `${examiner.platform}.others`,
          `The app has ${connections - 1} other connection${connections === 2 ? '' : 's'}, of a run or gateway elsewhere: ${others}`,
          'Let runs on several hosts ask through `handraise gateway` (docs/deploy.md), or give each an app of its own.',
        ),
      );
    }
    await settleCards(examination, examiner, token);
    return true;
  } catch (thrown) {
    report(failed(check, thrown, connectionCure));
    return false;
  } finally {
    await release();
  }
}

async function postable(
  { config, clock, signal, report }: Examination,
  examiner: SurfaceExaminer,
  { name }: SurfaceWords,
): Promise<Set<string>> {
  const { platform } = examiner;
  const check = `${platform}.channel` as const;
  const channels = new Set(config.bindings.flatMap((binding) => binding[platform]?.channel ?? []));
  const good = new Set<string>();
  for (const channel of channels) {
    if (signal.aborted) break;
    try {
      const asked = { ms: CALLS_MS, what: `Posting to ${channel}`, signal };
      const { removed } = await bounded(clock, asked, examiner.tryPlace({ platform, channel }));
      good.add(channel);
      if (removed) report(ok(check, `${channel} can be posted to (a test message was posted and deleted).`));
      else {
        report(
          warn(check, `${channel} can be posted to, but the test message could not be deleted.`, 'Delete it by hand.'),
        );
      }
    } catch (thrown) {
      const failure = failed(
        check,
        thrown,
        `Run doctor again in a minute; docs/${platform}.md lists what ${name} says, and what to do.`,
      );
      report({ ...failure, what: `${channel}: ${failure.what}` });
    }
  }
  return good;
}
