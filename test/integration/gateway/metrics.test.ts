import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import { openSharedOwner, type SharedOwner } from '../../../src/gateway/shared-owner.ts';
import { parseExposition, summed } from '../../support/exposition.ts';
import { choice, type GatewayStage, openGatewayStage, type RunningGateway } from '../../support/gateway-stage.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { auditRowsIn } from '../../support/redis-store.ts';
import { SESSION } from '../../support/requests.ts';
import { OWNER_CONFIG } from '../../support/verdict-keys.ts';

let stage: GatewayStage;
const owners: SharedOwner[] = [];
afterEach(async () => {
  await Promise.all(owners.splice(0).map((owner) => owner.stop()));
  await stage.close();
});

describe('the metrics of two gateways', () => {
  it('add up to what happened, each thing counted once, and hold no text, name or id', async () => {
    stage = await openGatewayStage({ rateLimits: false });
    const { slack, ana, channel } = stage;
    const gateways = [await stage.gateway(), await stage.gateway()];
    const guest = slack.workspace.addUser({ name: 'gus', is_restricted: true }).id;
    slack.workspace.join(channel, guest);
    await sum(gateways, { 'handraise_connections{platform="slack"}': 4 });

    // Answered, after somebody tried who may not, and before somebody who came too late.
    const answered = await ask('s1', 'Which database?');
    await stage.seen('Which database?');
    const old = slack.user(ana).stale(channel);
    await slack.user(guest).click({ channel, message: /Which database/, label: /Yes/ }).settled;
    await stage.click(/Which database/, 'Yes').settled;
    expect(await answered.outcome).toBe('answered');
    await stage.seen('Answered');
    await old.click({ message: stage.cards('Which database?')[0]?.ts ?? '', label: /^No$/ }).settled;

    // Left to the agent.
    const declined = await ask('s2', 'Which cache?');
    await stage.seen('Which cache?');
    await stage.click(/Which cache/, 'Decide without us').settled;
    expect(await declined.outcome).toBe('declined');

    // Nobody answered, in the time that a busy machine may take for the card.
    const timedOut = await ask('s3', 'Which queue?', 10_000);
    await stage.seen('Which queue?');
    expect(await timedOut.outcome).toBe('timed_out');

    // No card for a while.
    const refused = slack.faults.api('chat.postMessage', {
      ...{ kind: 'error', error: 'internal_error', times: 1_000 },
      match: ({ args }) => JSON.stringify(args).includes('Which host?'),
    });
    const late = await ask('s4', 'Which host?');
    await expect.poll(() => refused.hits, { timeout: 20_000 }).toBeGreaterThan(2);
    await each(gateways, { handraise_asked_without_card: 1 });
    refused.remove();
    await stage.seen('Which host?', 20_000);
    await each(gateways, { handraise_asked_without_card: 0 });

    // Withdrawn, and its card cannot be redrawn for a while.
    const frozen = slack.faults.api('chat.update', { kind: 'error', error: 'internal_error', times: 1_000 });
    late.withdraw();
    expect(await late.outcome).toBe('cancelled');
    await each(gateways, { handraise_settle_backlog_cards: 1 });
    frozen.remove();
    await each(gateways, { handraise_settle_backlog_cards: 0, handraise_audit_unsealed_seconds: 0 });

    await sum(gateways, {
      handraise_asked_total: 4,
      handraise_cards_posted_total: 4,
      handraise_cards_settled_total: 4,
      handraise_post_failures_total: refused.hits,
      handraise_decisions_total: 2,
      handraise_click_to_delivered_seconds_count: 2,
      'handraise_outcomes_total{outcome="answered"}': 1,
      'handraise_outcomes_total{outcome="declined"}': 1,
      'handraise_outcomes_total{outcome="timed_out"}': 1,
      'handraise_outcomes_total{outcome="cancelled"}': 1,
      'handraise_outcomes_total{outcome="owner_lost"}': 0,
      'handraise_clicks_refused_total{reason="guest"}': 1,
      'handraise_clicks_refused_total{reason="already_resolved"}': 1,
      'handraise_clicks_refused_total{reason="other"}': 0,
      'handraise_ack_seconds_count{platform="slack"}': 4,
      'handraise_redis_errors_total{kind="refused"}': 0,
      'handraise_redis_errors_total{kind="lost"}': 0,
    });
    const rows = await auditRowsIn(stage.redis);
    const claimedAt = new Map(
      rows.flatMap(({ event, requestId, at }) => (event === 'claimed' ? [[requestId, at]] : [])),
    );
    const took = rows.flatMap(({ event, requestId, at }) =>
      event === 'delivered' ? [at - (claimedAt.get(requestId) ?? 0)] : [],
    );
    const total = took.reduce((all, ms) => all + ms, 0) / 1_000;
    expect((await sums(gateways))['handraise_click_to_delivered_seconds_sum']).toBeCloseTo(total, 6);

    const secrets = ['Which', 'Yes', 'No ', ana, guest, channel, 'Ana', 'gus', slack.botToken, slack.appToken];
    const ids = rows.flatMap(({ requestId, sessionId, ownerId }) => [
      requestId,
      `"${sessionId}"`,
      ownerId ?? requestId,
    ]);
    for (const text of await Promise.all(gateways.map(read))) {
      expect([...secrets, ...ids].filter((one) => text.includes(one))).toEqual([]);
    }
    expect(slack.violations).toEqual([]);
  }, 90_000);

  it('go on where the one that counted was killed, also in the middle of a request', async () => {
    stage = await openGatewayStage();
    const first = await stage.gateway();
    let second: RunningGateway | undefined;
    const { outcome } = await ask('s1', 'Which database?', 60_000, async () => {
      await sum([first], { handraise_asked_total: 1, handraise_decisions_total: 1 });
      second = await stage.gateway();
      first.kill('SIGKILL');
      await first.done;
    });
    await stage.seen('Which database?');
    await stage.click(/Which database/, 'Yes').settled;
    expect(await outcome).toBe('answered');
    if (second === undefined) throw new Error('the second gateway was not started');
    await sum([second], {
      handraise_asked_total: 0,
      handraise_decisions_total: 0,
      handraise_click_to_delivered_seconds_count: 1,
      'handraise_outcomes_total{outcome="answered"}': 1,
      handraise_cards_settled_total: 1,
    });
  }, 90_000);

  it('say what each is, and stand beside those of the process', async () => {
    stage = await openGatewayStage();
    const gateway = await stage.gateway();
    const response = await fetch(`${gateway.url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const { described, samples } = parseExposition(await response.text());
    for (const [name, { help, type }] of described) {
      expect([name, help]).toEqual([name, expect.stringMatching(/^.{10,}$/)]);
      if (name.startsWith('handraise_')) expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
    const ours = [...described.keys()].filter((name) => name.startsWith('handraise_'));
    const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8');
    const listed = page.split('\n').filter((line) => line.startsWith('| `handraise_'));
    const named = listed.flatMap((line) => [...line.matchAll(/`(handraise_\w+)/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(ours.sort());
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect([...samples.keys()].filter((name) => name.startsWith('handraise_')).length).toBeLessThan(100);
  });

  it('say that they do not know, and count the failures, while Redis does not answer', async () => {
    stage = await openGatewayStage();
    const gateway = await stage.gateway();
    stage.redis.freeze();
    await expect
      .poll(async () => (await sums([gateway]))['handraise_redis_errors_total{kind="timeout"}'], { timeout: 20_000 })
      .toBeGreaterThan(0);
    const { samples } = parseExposition(await read(gateway));
    expect(samples.get('handraise_asked_without_card')).toBeNaN();
    stage.redis.resume();
    await each([gateway], { handraise_asked_without_card: 0, handraise_settle_backlog_cards: 0 });
  });
});

/** Asks as an owner of its own, and confirms the delivery of whatever comes back, once that is due. */
async function ask(sessionId: string, question: string, waitMs?: number, beforeDelivery?: () => Promise<void>) {
  const owner = await openSharedOwner({
    config: { ...OWNER_CONFIG, ...(waitMs === undefined ? {} : { waitMs }) },
    redisUrl: new Secret(stage.redis.url),
    session: { ...SESSION, sessionId },
    clock: systemClock,
    newId: newRandomId,
    log: recordingLog(),
  });
  if (owner === undefined) throw new Error('no binding');
  owners.push(owner);
  const asker = new AbortController();
  const asked = owner.prompter.ask(choice(question, 'Yes', 'No'), { signal: asker.signal });
  const outcome = asked.then(async (result) => {
    await beforeDelivery?.();
    await result.delivered();
    return result.outcome.kind;
  });
  return { outcome, withdraw: () => asker.abort() };
}

async function read(gateway: RunningGateway): Promise<string> {
  return (await fetch(`${gateway.url}/metrics`)).text();
}

async function sums(gateways: readonly RunningGateway[]): Promise<Record<string, number>> {
  return summed((await Promise.all(gateways.map(read))).map(parseExposition));
}

/** Waits until the sum over all gateways is this. */
async function sum(gateways: readonly RunningGateway[], expected: Readonly<Record<string, number>>): Promise<void> {
  await expect.poll(() => sums(gateways), { timeout: 30_000, interval: 200 }).toMatchObject(expected);
}

/** Waits until every single gateway says this. */
async function each(gateways: readonly RunningGateway[], expected: Readonly<Record<string, number>>): Promise<void> {
  for (const gateway of gateways) await sum([gateway], expected);
}
