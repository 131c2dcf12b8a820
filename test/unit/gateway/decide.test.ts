import { describe, expect, it } from 'vitest';
import type { Actor, Standing } from '../../../src/core/actor.ts';
import type { OperatorRule } from '../../../src/core/policy/people.ts';
import { createDecider } from '../../../src/gateway/decide.ts';
import { storeInMemory } from '../../support/memory-store.ts';
import { ANA, BEN, batchOf, question, requestOf } from '../../support/requests.ts';
import { sign } from '../../support/verdict-keys.ts';

const BATCH = batchOf(question('Which database?', ['Postgres', 'Redis']));

async function setUp(operators: OperatorRule | null = '*') {
  const made = storeInMemory();
  const claimed: string[] = [];
  const found: string[] = [];
  const decider = createDecider({
    store: made.store,
    adapters: [],
    sign,
    clock: made.clock,
    log: made.log,
    route: () => (operators === null ? undefined : { places: [], operators }),
    onClaimed: (requestId) => claimed.push(requestId),
    onCard: (requestId) => found.push(requestId),
  });
  await made.store.open(requestOf('r1', BATCH));
  const click = (actor: Actor, label = 'Redis', interactionId = `click of ${actor.userId}`) =>
    decider.respond({
      requestId: 'r1',
      actor,
      interactionId,
      decision: { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] },
    });
  return Object.assign(made, { decider, claimed, found, click });
}

describe('a click', () => {
  it('is recorded for a member, and says nothing, since the card will', async () => {
    const { click, claimed, store } = await setUp();
    expect(await click(ANA)).toBeUndefined();
    expect(claimed).toEqual(['r1']);
    expect((await store.read('r1'))?.verdict).toMatchObject({ actor: ANA, interactionId: 'click of U1' });
  });

  it('has one winner among fifty at once, and forty-nine who are told who won', async () => {
    const { click, claimed } = await setUp();
    const people = Array.from(
      { length: 50 },
      (_, index): Actor => ({ ...ANA, userId: `U${index}`, name: `Person ${index}` }),
    );
    const replies = await Promise.all(people.map((person) => click(person)));
    expect(claimed).toHaveLength(1);
    expect(replies.filter((reply) => reply === undefined)).toHaveLength(1);
    expect(new Set(replies)).toEqual(
      new Set([
        undefined,
        'Already answered by Person 0 just now. It is on its way to the agent; your click changed nothing.',
      ]),
    );
  });

  it('that the platform delivers twice is recorded once and answered with silence', async () => {
    const { click, claimed, rows } = await setUp();
    await click(ANA);
    expect(await click(ANA)).toBeUndefined();
    expect(claimed).toEqual(['r1']);
    expect(rows.filter((row) => row.event === 'click_refused')).toEqual([]);
  });

  it.each<[Standing, string]>([
    ['guest', 'Guests may not'],
    ['stranger', 'Only members of this workspace'],
    ['bot', 'A bot may not'],
    ['deactivated', 'deactivated'],
    ['unverified', 'could not check'],
  ])('of a %s is refused in private and audited', async (standing, sentence) => {
    const { click, claimed, rows } = await setUp();
    expect(await click({ ...BEN, standing })).toContain(sentence);
    expect(claimed).toEqual([]);
    expect(rows.at(-1)).toMatchObject({ event: 'click_refused', reason: standing, actor: { userId: 'U2' } });
  });

  it('of a member who is not listed is refused where the binding lists its operators', async () => {
    const { click, claimed, rows } = await setUp({ slackUsers: ['U1'] });
    expect(await click(BEN)).toContain('not among the people');
    expect(rows.at(-1)).toMatchObject({ event: 'click_refused', reason: 'not_listed' });
    await click(ANA);
    expect(claimed).toEqual(['r1']);
  });

  it('is refused for everybody when no binding matches the session any more', async () => {
    const { click, claimed } = await setUp(null);
    expect(await click(ANA)).toContain('older version');
    expect(claimed).toEqual([]);
  });

  it('on a choice the card never offered changes nothing', async () => {
    const { click, claimed } = await setUp();
    expect(await click(ANA, 'MySQL')).toBe('That choice is not on this card; nothing was recorded.');
    expect(claimed).toEqual([]);
  });

  it('on an unknown request resolves nothing, leaves the others alone, and is audited', async () => {
    const { decider, store, rows } = await setUp();
    const reply = await decider.respond({
      requestId: 'other',
      actor: ANA,
      interactionId: 'c',
      decision: { kind: 'declined' },
    });
    expect(reply).toContain('older version');
    expect((await store.read('r1'))?.status).toBe('open');
    expect(rows.at(-1)).toMatchObject({ event: 'click_refused', requestId: 'other', reason: 'not_found' });
  });

  it('that cannot be audited changes nothing, and the person is told to try again', async () => {
    const made = await setUp();
    made.auditFails = true;
    expect(await made.click(ANA)).toContain('could not be recorded');
    made.auditFails = false;
    expect(await made.click(ANA)).toBeUndefined();
  });

  it('that reaches a broken store is told so', async () => {
    const { log, clock } = storeInMemory();
    const broken = new Proxy({} as never, { get: () => async () => Promise.reject(new Error('connection refused')) });
    const decider = createDecider({
      store: broken,
      adapters: [],
      sign,
      clock,
      log,
      route: () => undefined,
      onClaimed: () => undefined,
      onCard: () => undefined,
    });
    const reply = await decider.respond({
      requestId: 'r1',
      actor: ANA,
      interactionId: 'c',
      decision: { kind: 'declined' },
    });
    expect(reply).toContain('cannot record anything right now');
  });
});

describe('a card that is touched', () => {
  const card = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;
  const touch = { requestId: 'r1', actor: ANA, interactionId: 'c', card };

  it('is taken into a record that does not know it, since whoever posted it could not tell', async () => {
    const { decider, found, store, rows } = await setUp();
    await decider.lookUp(touch);
    await decider.lookUp({ ...touch, actor: { ...BEN, standing: 'guest' } });
    expect((await store.read('r1'))?.cards).toEqual([card]);
    expect(rows.filter(({ event }) => event === 'card_posted')).toHaveLength(1);
    expect(found).toEqual(['r1']);
  });

  it('keeps nobody from answering while it cannot be recorded', async () => {
    const made = await setUp();
    made.auditFails = true;
    expect(await made.decider.lookUp(touch)).toMatchObject({ card: { state: { phase: 'open' } } });
    expect(made.found).toEqual([]);
  });
});

describe('opening the answer form', () => {
  it('shows the card while the request is open', async () => {
    const { decider, clock } = await setUp();
    expect(await decider.lookUp({ requestId: 'r1', actor: ANA, interactionId: 'c' })).toMatchObject({
      card: { state: { phase: 'open', deadline: clock.now() + 300_000 } },
    });
  });

  it('is refused to people who may not answer, before they type anything', async () => {
    const { decider, rows } = await setUp();
    expect(
      await decider.lookUp({ requestId: 'r1', actor: { ...BEN, standing: 'guest' }, interactionId: 'c' }),
    ).toMatchObject({
      refused: expect.stringContaining('Guests'),
    });
    expect(rows.at(-1)).toMatchObject({ event: 'click_refused', reason: 'guest' });
  });

  it('is refused once somebody answered, and says who', async () => {
    const { decider, click } = await setUp();
    await click(ANA);
    expect(await decider.lookUp({ requestId: 'r1', actor: BEN, interactionId: 'c' })).toMatchObject({
      refused: expect.stringContaining('Already answered by Ana'),
    });
  });

  it('lets the winning click through once more, so that its replay stays silent', async () => {
    const { decider, click } = await setUp();
    await click(ANA);
    expect(await decider.lookUp({ requestId: 'r1', actor: ANA, interactionId: 'click of U1' })).toMatchObject({
      card: { state: { phase: 'recorded' } },
    });
  });

  it('is refused after the deadline', async () => {
    const { decider, clock } = await setUp();
    clock.advance(300_000);
    expect(await decider.lookUp({ requestId: 'r1', actor: ANA, interactionId: 'c' })).toMatchObject({
      refused: expect.stringContaining('Timed out'),
    });
  });
});
