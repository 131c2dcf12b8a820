import { describe, expect, test } from 'vitest';
import type { Card } from '../../../../src/core/ports/surface-adapter.ts';
import { openCard } from '../../../support/recording-host.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite']));
const ended: Card = {
  view: openCard(database).view,
  state: { phase: 'ended', outcome: { kind: 'cancelled' }, at: Date.UTC(2026, 7, 3, 10) },
};

const cardsIn = (stage: Stage, thread: string) =>
  stage.discord.screen(stage.ana, thread).messages.filter((message) => message.author.isBot);

describe('posting', () => {
  test('whose answer is lost is ambiguous; the card is found, and a second post would be the same message', async () => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.discord.faults.api('create_message', { kind: 'apply_then_drop' });
    await expect(stage.adapter.post(stage.place, thread, openCard(database))).rejects.toMatchObject({
      ambiguous: true,
      permanent: false,
    });
    const found = await stage.adapter.findCard(stage.place, thread, 'request-1');
    const again = await stage.adapter.post(stage.place, thread, openCard(database));
    expect(again.message).toBe(found?.message);
    expect(cardsIn(stage, thread)).toHaveLength(1);
  });

  test('that hangs is given up, and the next one goes through', async () => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.discord.faults.api('create_message', { kind: 'hang' });
    await expect(stage.adapter.post(stage.place, thread, openCard(database))).rejects.toMatchObject({
      platformCode: 'timeout',
      ambiguous: true,
    });
    await stage.adapter.post(stage.place, thread, openCard(database));
    expect(cardsIn(stage, thread)).toHaveLength(1);
  });

  test.each([
    ['user', 'ratelimited'],
    ['global', 'ratelimited_globally'],
  ] as const)('that is asked to wait (%s) says how long', async (scope, platformCode) => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.discord.faults.api('create_message', { kind: 'rate_limited', retryAfter: 1.5, scope });
    const error: unknown = await stage.adapter
      .post(stage.place, thread, openCard(database))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ platformCode, permanent: false, ambiguous: false });
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(1_500);
  });

  test('after one refused token (401) works again: discord.js forgets it, we do not', async () => {
    const stage = await openStage();
    stage.discord.faults.api('get_channel', { kind: 'error', code: 0, status: 401 });
    await expect(stage.adapter.checkPlace(stage.place)).rejects.toMatchObject({ permanent: true });
    expect(stage.adapter.health()).toMatchObject({ connected: false, detail: expect.stringContaining('Reset Token') });
    await stage.adapter.checkPlace(stage.place);
    expect(stage.adapter.health().connected).toBe(true);
  });

  test('a card without a line in the channel is still a card', async () => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    stage.discord.faults.api('create_message', { kind: 'status', status: 500, skip: 1, times: 3 });
    const ref = await stage.adapter.post(stage.place, thread, openCard(database));
    expect(ref).not.toHaveProperty('pointer');
    await stage.adapter.update(ref, ended);
    expect(cardsIn(stage, thread)[0]?.notification).toContain('Withdrawn');
  });

  test('into a bound thread puts the line and the card there', async () => {
    const stage = await openStage();
    const bound = await stage.adapter.openThread(stage.place, SESSION);
    const place = { platform: 'discord', channel: bound } as const;
    await stage.adapter.checkPlace(place);
    const thread = await stage.adapter.openThread(place, { ...SESSION, sessionId: 'another' });
    expect(thread).toBe(bound);
    const ref = await stage.adapter.post(place, thread, openCard(database));
    expect(ref).toMatchObject({ channel: bound, thread: bound });
    expect(await stage.adapter.findThread(place, 'another')).toBe(bound);
    expect(await stage.adapter.findCard(place, undefined, 'request-1')).toEqual(ref);
  });
});

describe('a long question', () => {
  test('goes along whole as a file, and the file goes with the end', async () => {
    const stage = await openStage();
    const preview = `# Wide\n${'0123456789'.repeat(1_000)}END`;
    const long = batchOf({
      ...question('Which layout?', []),
      options: [
        { label: 'Wide', description: 'Two columns', preview },
        { label: 'Narrow', description: 'x'.repeat(500) },
      ],
    });
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    const ref = await stage.adapter.post(stage.place, thread, openCard(long));
    const [card] = cardsIn(stage, thread);
    expect(card?.files.map(({ name }) => name)).toEqual(['question.txt']);
    expect(card?.files[0]?.content).toContain(preview);
    await stage.adapter.update(ref, { ...ended, view: openCard(long).view });
    expect(cardsIn(stage, thread)[0]?.files).toEqual([]);
  });

  test('goes along as a file with Slack loaded, too, whichever was loaded first', async () => {
    await import('../../../../adapters/slack/index.ts');
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    await stage.adapter.post(stage.place, thread, openCard(batchOf(question('y'.repeat(3_000), ['A', 'B']))));
    expect(cardsIn(stage, thread)[0]?.files[0]?.content).toContain('y'.repeat(3_000));
  });
});

describe('editing', () => {
  test('hours later, and in a thread that was archived meanwhile, still settles the card', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    await stage.discord.clock.advance(3 * 3_600_000);
    stage.discord.guild.setThread(ref.thread, { archived: true });
    await stage.adapter.update(ref, ended);
    expect(cardsIn(stage, ref.thread)[0]).toMatchObject({ edited: true, controls: [] });
  });

  test('a card that is gone is refused for good, and needs no retiring', async () => {
    const stage = await openStage();
    const ref = await stage.post(database);
    const gone = { ...ref, message: '112233445566778899' };
    await expect(stage.adapter.update(gone, ended)).rejects.toMatchObject({ permanent: true, platformCode: '10008' });
    await stage.adapter.retire(gone, { kind: 'owner_lost' });
  });
});
