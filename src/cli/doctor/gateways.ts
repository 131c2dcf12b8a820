import { bindingFor } from '../../config/binding.ts';
import type { PublishedBinding } from '../../config/published.ts';
import type { GatewayLease } from '../../core/ports/leases.ts';
import { type JudgedLease, judgeLease } from '../../gateway/signed-leases.ts';
import type { RedisExamination } from '../../store/redis/examine.ts';
import { readVerdictKey } from '../../trust/keys.ts';
import { bounded } from './bounded.ts';
import { AGENTS } from './configuration.ts';
import type { Examination } from './examination.ts';
import { fail, failed, ok, warn } from './finding.ts';

/** Slack gives one app ten connections, and each gateway keeps two. */
const MOST_GATEWAYS = 5;

/** `trusted`: one is connected that runs here believe · `connected`: only others are · `unknown`: nobody can tell. */
export type GatewaysFound = 'trusted' | 'connected' | 'none' | 'unknown';

/** Who serves this Redis, and what runs here would get from them. */
export async function examineGateways(
  { config, session, clock, signal, report }: Examination,
  redis: RedisExamination,
): Promise<GatewaysFound> {
  let leases: readonly GatewayLease[];
  let now: number;
  try {
    const asked = { ms: 3_000, what: 'Looking for gateways', signal };
    [leases, now] = await bounded(clock, asked, Promise.all([redis.liveGateways(), redis.now()]));
  } catch (thrown) {
    report(failed('gateways.alive', thrown, 'Allow this Redis user to read the gateways (docs/deploy.md).'));
    return 'unknown';
  }
  if (leases.length === 0) {
    report(
      fail(
        'gateways.alive',
        'No gateway is connected to this Redis: questions of runs cannot be posted.',
        'Start `handraise gateway` with the same Redis.',
      ),
    );
    return 'none';
  }
  report(ok('gateways.alive', `${counted(leases.length, 'gateway')} ${leases.length === 1 ? 'is' : 'are'} connected.`));
  if (leases.length > MOST_GATEWAYS) {
    report(
      warn(
        'gateways.count',
        `Slack gives one app at most ten connections, which ${MOST_GATEWAYS} gateways use up; here are ${leases.length}.`,
        `Stop ${counted(leases.length - MOST_GATEWAYS, 'gateway')}.`,
      ),
    );
  }
  const keys = (config.trust?.verdictKeys ?? []).map(readVerdictKey);
  // Without one, nothing can be believed, and what is missing has been said.
  const judged = keys.length === 0 ? [] : leases.map((lease) => judgeLease(lease, keys, now));
  reportFaults(judged, report);
  const published = judged.flatMap(({ publication }) => (publication === undefined ? [] : [publication.bindings]));
  reportBindings(published, report);
  if (published.length > 0) reportRunHere(published, session, report);
  return published.length > 0 ? 'trusted' : 'connected';
}

function reportFaults(judged: readonly JudgedLease[], report: Examination['report']): void {
  const faults = judged.flatMap(({ fault, keyId }) => (fault === undefined ? [] : [{ fault, keyId }]));
  const ofVersion = faults.filter(({ fault }) => fault === 'not_understood').length;
  if (ofVersion > 0) {
    report(
      fail(
        'gateways.version',
        `${ofVersion} of ${counted(judged.length, 'gateway')} cannot be understood: another version of handraise, or somebody else’s text.`,
        'Install the same version for gateways and runs.',
      ),
    );
  }
  const others = faults.length - ofVersion;
  if (others > 0) {
    const theirs = [...new Set(faults.flatMap(({ keyId }) => keyId ?? []))];
    const signs =
      theirs.length === 0 ? 'what it says is not signed as it should be' : `signed with ${theirs.join(', ')}`;
    report(
      fail(
        'gateways.trust',
        `${others} of ${counted(judged.length, 'gateway')} cannot be believed (${signs}): runs ignore it.`,
        'Where the key is your gateway’s, add what `handraise gateway keys show` prints there to HANDRAISE_VERDICT_KEYS or trust.verdictKeys; else find out who writes to this Redis.',
      ),
    );
  }
}

function reportBindings(published: readonly (readonly PublishedBinding[])[], report: Examination['report']): void {
  const refused = new Set(published.flat().flatMap((binding) => binding.refused ?? []));
  for (const reason of refused) {
    report(fail('gateways.channel', `A gateway cannot post to ${reason}`, 'Runs bound to that channel end with 69.'));
  }
  const rules = new Set(published.map((bindings) => JSON.stringify(bindings.map((one) => ({ ...one, refused: '' })))));
  if (rules.size > 1) {
    report(
      warn(
        'gateways.agreement',
        'The gateways do not have the same bindings: it depends on chance which of them decides for a run.',
        'Start them with the same configuration.',
      ),
    );
  }
}

function reportRunHere(
  published: readonly (readonly PublishedBinding[])[],
  session: Examination['session'],
  report: Examination['report'],
): void {
  const asking = AGENTS.filter((agent) =>
    published.some((bindings) => bindingFor(bindings, { ...session, agent })?.mode === 'ask'),
  );
  if (asking.length === AGENTS.length) {
    report(ok('gateways.here', `Runs in ${session.workspace} may ask.`));
  } else if (asking.length > 0) {
    report(ok('gateways.here', `Runs of ${asking.join(' and ')} in ${session.workspace} may ask; others ask nobody.`));
  } else {
    report(
      warn(
        'gateways.here',
        `A run in ${session.workspace} asks nobody: no binding of a gateway lets it.`,
        'If it should ask, add a binding to the gateways’ configuration; `match` is compared with this path.',
      ),
    );
  }
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
