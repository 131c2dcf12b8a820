import { askableBinding } from '../../config/binding.ts';
import type { Binding } from '../../config/schema.ts';
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
import { type ExaminedSlack, examineSlack } from './slack.ts';

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
  const slack = await examineSlack(examination, gateways);
  if (slack !== undefined) await examinePeople(examination, slack.examiner);
  if (examination.signal.aborted) return;
  if (roleOf(examination.config) === 'embedded') await selfTestHere(examination, slack);
  else if (gateways === 'trusted') await selfTestShared(examination, slack?.examiner);
  else examination.report(warn('self-test.round-trip', 'Not tried, because of what was found above.', MEND));
}

async function selfTestHere(examination: Examination, slack: ExaminedSlack | undefined): Promise<void> {
  const binding = bindingToTest(examination, slack);
  if (slack?.isFree === true && binding !== undefined) {
    return selfTestEmbedded(examination, binding, slack.examiner);
  }
  if (examination.config.bindings.length === 0) return;
  const asks = examination.config.bindings.some(({ questions }) => questions.mode === 'ask');
  examination.report(
    asks
      ? warn('self-test.round-trip', 'Not tried, because of what was found above.', MEND)
      : ok('self-test.round-trip', 'Not tried: no binding asks anybody.'),
  );
}

const MEND = 'Mend that first, then run doctor again.';

/** That of a run here, else the first that asks, of those whose channel can be posted to. */
function bindingToTest({ config, session }: Examination, slack: ExaminedSlack | undefined): Binding | undefined {
  const usable = config.bindings.filter(
    (binding) => binding.questions.mode === 'ask' && slack?.channels.has(binding.slack?.channel ?? '') === true,
  );
  return askableBinding(usable, session) ?? usable[0];
}
