import { bindingFor } from '../../config/binding.ts';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';
import type { SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import type { RequestRecord } from '../../core/request.ts';
import { openSharedOwner, type SharedOwner } from '../../gateway/shared-owner.ts';
import { judgeLease } from '../../gateway/signed-leases.ts';
import { openRedisStore } from '../../store/redis/open.ts';
import type { RedisStore } from '../../store/redis/store.ts';
import { readVerdictKey } from '../../trust/keys.ts';
import { bounded } from './bounded.ts';
import { removeCards } from './cleaning.ts';
import { AGENTS } from './configuration.ts';
import type { Examination } from './examination.ts';
import { failed, ok, warn } from './finding.ts';
import { GRACE_MS, STEP_MS, testBatch, testSession } from './self-test.ts';

/** How often the record is read while something is waited for, in ms. */
const LOOK_EVERY_MS = 100;

/**
 * The way of a question as an owner goes it: opened in Redis, posted by a gateway, withdrawn, settled. It is not
 * answered: an answer over Redis is a gateway's to record, for a person who clicked. The record stays as every ended one
 * does, and expires. Where there is no token of a platform here (`examiners`), the withdrawn card stays in its channel.
 */
export async function selfTestShared(examination: Examination, examiners: readonly SurfaceExaminer[]): Promise<void> {
  const { config, clock, log, newId, signal, report } = examination;
  if (config.redis === undefined) return;
  const { url } = config.redis;
  const step = <T>(what: string, work: Promise<T>) => bounded(clock, { ms: STEP_MS, what, signal }, work);
  let [store, owner]: [RedisStore | undefined, SharedOwner | undefined] = [undefined, undefined];
  let requestId: string | undefined;
  try {
    store = await step('Connecting to Redis', openRedisStore({ url: url.reveal(), clock, log }));
    const agent = await step('Looking for a binding', agentThatAsks(store, examination));
    const session = testSession(examination.session, newId(), agent ?? 'script');
    owner =
      agent === undefined
        ? undefined
        : await step('Starting as a run does', openSharedOwner({ config, redisUrl: url, session, clock, newId, log }));
    if (owner === undefined) {
      report(
        warn(
          'self-test.round-trip',
          `Not tried: no binding of a gateway lets a run in ${session.workspace} ask.`,
          BINDING_CURE,
        ),
      );
      return;
    }
    const took = await roundTrip(examination, owner, store, (id) => {
      requestId = id;
    });
    const rest = examiners.length === 0 ? ' Without a chat token here the withdrawn card stays in its channel.' : '';
    report(
      ok(
        'self-test.round-trip',
        `A gateway posted a question (${took.posted} ms), which was withdrawn and its card settled (${took.settled} ms). Answering is for people, and was not tried.${rest}`,
      ),
    );
  } catch (thrown) {
    report(failed('self-test.round-trip', thrown, POSTING_CURE));
  } finally {
    const cards = await cardsOf(store, requestId);
    const stopping = owner?.stop() ?? Promise.resolve();
    await bounded(
      clock,
      { ms: GRACE_MS, what: 'Giving the lease back', signal: new AbortController().signal },
      stopping,
    ).catch((thrown: unknown) =>
      log.warn({ reason: sentenceOf(thrown) }, 'the self-test could not be stopped cleanly'),
    );
    store?.stop();
    for (const examiner of examiners) {
      const own = cards.filter(({ platform }) => platform === examiner.platform);
      await removeCards(examination, examiner, own);
    }
  }
}

const BINDING_CURE = 'Run doctor in a workspace that a gateway’s binding matches.';

async function agentThatAsks(store: RedisStore, { config, session }: Examination): Promise<string | undefined> {
  const keys = (config.trust?.verdictKeys ?? []).map(readVerdictKey);
  const leases = await store.leases.liveGateways();
  const published = leases.flatMap((lease) => judgeLease(lease, keys, store.clock.now()).publication ?? []);
  return AGENTS.find((agent) =>
    published.some(({ bindings }) => bindingFor(bindings, { ...session, agent })?.mode === 'ask'),
  );
}

async function roundTrip(
  { clock, signal }: Examination,
  { prompter }: SharedOwner,
  store: RedisStore,
  tell: (requestId: string) => void,
) {
  const withdrawal = new AbortController();
  const begun = clock.now();
  let requestId: string | undefined;
  const asking = prompter.ask(testBatch(), {
    signal: withdrawal.signal,
    onAccepted(id) {
      requestId = id;
      tell(id);
    },
  });
  const ended = asking.then(({ outcome }) => {
    throw new HandraiseError(
      `The question ended as ${outcome.kind}${'reason' in outcome ? `: ${outcome.reason}` : ''}`,
      {
        code: 'unavailable',
        hint: POSTING_CURE,
      },
    );
  });
  // Told by the race it takes part in; without one there is nothing to tell.
  ended.catch(() => undefined);
  const look = async <T>(what: string, see: (record: RequestRecord) => Promise<T | undefined>): Promise<T> => {
    const stop = new AbortController();
    const looking = async (): Promise<T> => {
      for (;;) {
        stop.signal.throwIfAborted();
        const record = requestId === undefined ? undefined : await store.read(requestId);
        const seen = record && (await see(record));
        if (seen !== undefined) return seen;
        await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
      }
    };
    try {
      return await bounded(clock, { ms: STEP_MS, what, signal }, looking());
    } finally {
      stop.abort();
    }
  };
  try {
    await Promise.race([look('Posting by a gateway', async ({ cards }) => cards[0]), ended]);
    const postedAt = clock.now();
    withdrawal.abort();
    const { outcome } = await bounded(clock, { ms: STEP_MS, what: 'Withdrawing the question', signal }, asking);
    if (outcome.kind !== 'cancelled') throw new Error(`The question ended as ${outcome.kind}`);
    await look('Settling the card', async (record) =>
      (await store.listWork()).includes(record.requestId) ? undefined : true,
    );
    return { posted: postedAt - begun, settled: clock.now() - postedAt };
  } finally {
    withdrawal.abort();
    const never = new AbortController().signal;
    await bounded(clock, { ms: GRACE_MS, what: 'Withdrawing the question', signal: never }, asking)
      .then((result) => result.lost('it was doctor’s'))
      .catch(() => undefined);
  }
}

const POSTING_CURE =
  'Look at the log of a gateway: it says why a card could not be posted or settled. --verbose has only this side’s.';

async function cardsOf(store: RedisStore | undefined, requestId: string | undefined) {
  if (store === undefined || requestId === undefined) return [];
  try {
    return (await store.read(requestId))?.cards ?? [];
  } catch {
    // Redis has gone meanwhile, which the findings say; the gateway settles the card.
    return [];
  }
}
