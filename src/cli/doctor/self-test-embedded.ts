import { hostname, userInfo } from 'node:os';
import type { Binding } from '../../config/schema.ts';
import type { Actor } from '../../core/actor.ts';
import { sentenceOf } from '../../core/errors.ts';
import type { SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import { type Embedded, startEmbedded } from '../../gateway/embedded.ts';
import { bounded } from './bounded.ts';
import { removeCards } from './cleaning.ts';
import type { Examination } from './examination.ts';
import { failed, ok } from './finding.ts';
import { GRACE_MS, SELF_TEST_CURE, STEP_MS, testBatch, testSession, WORKS } from './self-test.ts';
import { type WatchedAdapter, watchAdapter } from './watched-adapter.ts';

/** A start waits up to 15 s for Slack. */
const START_MS = 20_000;

/**
 * The whole way of a question, in this process and as `run` goes it: opened, posted, answered, delivered, settled. The
 * answer is doctor's own: its request has a binding of its own whose one operator is the user doctor runs as, and it
 * passes the same policy and the same claim as a click. The rules of the configured bindings are not touched.
 */
export async function selfTestEmbedded(
  examination: Examination,
  binding: Binding,
  examiner: SurfaceExaminer,
): Promise<void> {
  const { config, session, stateDirectory, clock, newId, log, signal, report } = examination;
  const me = localActor();
  const channel = binding[examiner.platform]?.channel ?? '';
  const own: Binding = {
    ...binding,
    match: { workspace: '*' },
    questions: { mode: 'ask', operators: { localUsers: [me.userId] }, waitMs: 60_000 },
  };
  let watched: WatchedAdapter | undefined;
  const starting = startEmbedded({
    config: { ...config, bindings: [own] },
    binding: own,
    session: testSession(session, newId(), 'script'),
    stateDirectory,
    clock,
    newId,
    log,
    around(adapter) {
      watched = watchAdapter(adapter);
      return watched.adapter;
    },
  });
  let embedded: Embedded | undefined;
  try {
    embedded = await bounded(clock, { ms: START_MS, what: 'Starting as a run does', signal }, starting);
    if (watched === undefined) throw new Error('the gateway has no adapter');
    const took = await roundTrip(examination, embedded, watched, me);
    report(
      ok(
        'self-test.round-trip',
        `A question was posted to ${channel} (${took.posted} ms), answered by doctor, delivered (${took.answered} ms) and its card settled (${took.settled} ms).`,
      ),
    );
  } catch (thrown) {
    report(failed('self-test.round-trip', thrown, SELF_TEST_CURE));
  } finally {
    // Its failure is the finding that is reported above; only one that starts after all has to be stopped.
    if (embedded === undefined) starting.then((late) => late.stop(0)).catch(() => undefined);
    await embedded?.stop(GRACE_MS).catch((thrown: unknown) => {
      log.warn({ reason: sentenceOf(thrown) }, 'the self-test could not be stopped cleanly');
    });
    await removeCards(examination, examiner, [...(watched?.left ?? [])].reverse());
  }
}

async function roundTrip(
  { clock, newId, signal }: Examination,
  { prompter }: Embedded,
  { host, posted, settled }: WatchedAdapter,
  actor: Actor,
) {
  const withdrawal = new AbortController();
  const step = <T>(what: string, work: Promise<T>) => bounded(clock, { ms: STEP_MS, what, signal }, work);
  const begun = clock.now();
  let isDelivered = false;
  let tell: (requestId: string) => void = () => undefined;
  const accepted = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const asking = prompter.ask(testBatch(), { signal: withdrawal.signal, onAccepted: tell });
  const ended = asking.then(({ outcome }) => {
    throw new Error(`The question ended as ${outcome.kind}${'reason' in outcome ? `: ${outcome.reason}` : ''}`);
  });
  // Told by the race it takes part in; without one there is nothing to tell.
  ended.catch(() => undefined);
  try {
    await step('Posting a card', Promise.race([posted, ended]));
    const postedAt = clock.now();
    const requestId = await step('Opening a request', accepted);
    const refused = await step(
      'Recording an answer',
      (await host).respond({
        requestId,
        decision: { kind: 'answers', sheet: [{ status: 'answered', labels: [WORKS] }] },
        actor,
        interactionId: `doctor-${newId()}`,
      }),
    );
    if (refused !== undefined) throw new Error(`The answer was refused: ${refused}`);
    const result = await step('Delivering the answer', asking);
    if (result.outcome.kind !== 'answered') throw new Error(`The question ended as ${result.outcome.kind}`);
    await result.delivered();
    isDelivered = true;
    const answeredAt = clock.now();
    await step('Settling the card', settled);
    return { posted: postedAt - begun, answered: answeredAt - postedAt, settled: clock.now() - answeredAt };
  } finally {
    withdrawal.abort();
    await bounded(
      clock,
      { ms: GRACE_MS, what: 'Withdrawing the question', signal: new AbortController().signal },
      asking,
    )
      .then((result) => (isDelivered ? undefined : result.lost('the self-test did not come to its end')))
      // The step that failed is the finding; a question that cannot be withdrawn ends with this process.
      .catch(() => undefined);
  }
}

function localActor(): Actor {
  const { username } = userInfo();
  return { platform: 'local', workspaceId: hostname(), userId: username, name: 'handraise doctor', standing: 'member' };
}
