import { askableBinding } from '../../config/binding.ts';
import type { Binding } from '../../config/schema.ts';
import { PLATFORMS, type Platform } from '../../core/actor.ts';
import { examineConfiguration } from './configuration.ts';
import { type Examination, roleOf } from './examination.ts';
import { ok, warn } from './finding.ts';
import { examineGateways, type GatewaysFound } from './gateways.ts';
import { examineIsolation } from './isolation.ts';
import { examineKeys } from './keys.ts';
import { examinePeople } from './people.ts';
import { examineRedis } from './redis.ts';
import { selfTestEmbedded } from './self-test-embedded.ts';
import { selfTestShared } from './self-test-shared.ts';
import { type ExaminedSurface, examineSurface } from './surface.ts';
import { SURFACE_WORDS } from './surface-words.ts';

/** Everything, in order: each part only where those it stands on did not fail. Never rejects for what it finds. */
export async function examine(asked: Examination): Promise<void> {
  examineConfiguration(asked);
  examineIsolation(asked);
  // What runs here believe; what looks at gateways from here on, believes the same.
  const trust = { verdictKeys: await examineKeys(asked) };
  const examination = { ...asked, config: { ...asked.config, trust } };
  const redis = await examineRedis(examination);
  let gateways: GatewaysFound = roleOf(asked.config) === 'embedded' ? 'none' : 'unknown';
  try {
    if (redis !== undefined) gateways = await examineGateways(examination, redis);
  } finally {
    redis?.close();
  }
  const surfaces: ExaminedSurface[] = [];
  for (const platform of PLATFORMS) {
    const surface = await examineSurface(platform, examination, gateways);
    if (surface === undefined) continue;
    surfaces.push(surface);
    await examinePeople(examination, surface.examiner);
  }
  if (examination.signal.aborted) return;
  if (roleOf(examination.config) === 'embedded') await selfTestHere(examination, surfaces);
  else if (gateways === 'trusted') {
    const examiners = surfaces.map(({ examiner }) => examiner);
    await selfTestShared(examination, examiners);
  } else examination.report(warn('self-test.round-trip', 'Not tried, because of what was found above.', MEND));
}

/** Each platform by itself: what works on one tells nothing of the other. */
async function selfTestHere(examination: Examination, surfaces: readonly ExaminedSurface[]): Promise<void> {
  const { config, report, signal } = examination;
  if (config.bindings.length === 0) return;
  const asking = config.bindings.filter(({ questions }) => questions.mode === 'ask');
  if (asking.length === 0) {
    report(ok('self-test.round-trip', 'Not tried: no binding asks anybody.'));
    return;
  }
  for (const platform of PLATFORMS.filter((one) => asking.some((binding) => binding[one] !== undefined))) {
    if (signal.aborted) return;
    const surface = surfaces.find(({ examiner }) => examiner.platform === platform);
    const binding = bindingToTest(examination, surface);
    if (surface?.isFree === true && binding !== undefined) {
      await selfTestEmbedded(examination, onlyOn(platform, binding), surface.examiner);
    } else {
      const where = SURFACE_WORDS[platform].name;
      report(warn('self-test.round-trip', `Not tried on ${where}, because of what was found above.`, MEND));
    }
  }
}

const MEND = 'Mend that first, then run doctor again.';

/** That of a run here, else the first that asks, of those whose channel can be posted to. */
function bindingToTest({ config, session }: Examination, surface: ExaminedSurface | undefined): Binding | undefined {
  if (surface === undefined) return undefined;
  const { channels, examiner } = surface;
  const usable = config.bindings.filter(
    (binding) => binding.questions.mode === 'ask' && channels.has(binding[examiner.platform]?.channel ?? ''),
  );
  return askableBinding(usable, session) ?? usable[0];
}

function onlyOn(platform: Platform, { slack, discord, ...binding }: Binding): Binding {
  if (platform === 'slack') return slack === undefined ? binding : { ...binding, slack };
  return discord === undefined ? binding : { ...binding, discord };
}
