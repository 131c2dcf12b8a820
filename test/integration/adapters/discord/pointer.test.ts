import { describe, expect, test } from 'vitest';
import { embeddedOnDiscord } from '../../../support/embedded-discord.ts';
import { openCard } from '../../../support/recording-host.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { openStage } from './stage.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite']));

describe('the line in the channel that leads to a card', () => {
  test.each([
    { fault: { kind: 'apply_then_drop' }, what: 'Discord’s answer got lost' },
    { fault: { kind: 'status', status: 502 }, what: 'Discord failed' },
    { fault: { kind: 'rate_limited', retryAfter: 0.3 }, what: 'Discord asked to wait' },
  ] as const)('is there once, and known, where $what at first', async ({ fault }) => {
    const stage = await openStage();
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    const struck = stage.discord.faults.api('create_message', { ...fault, skip: 1 });
    const ref = await stage.adapter.post(stage.place, thread, openCard(database));
    expect(struck.hits).toBe(1);
    const { messages } = stage.discord.screen(stage.ana, stage.channel);
    const pointers = messages.filter(({ notification }) => notification.includes('[question]'));
    expect(pointers.map(({ id }) => id)).toEqual([ref.pointer]);
  });

  test('is found by whoever draws the end, where its gateway was gone before it could tell of it', async () => {
    const stage = await openStage();
    const { pointer, ...ref } = await stage.post(database);
    await stage.adapter.update(ref, {
      ...openCard(database),
      state: { phase: 'ended', outcome: { kind: 'cancelled' }, at: Date.now() },
    });
    const { messages } = stage.discord.screen(stage.ana, stage.channel);
    expect(messages.find(({ id }) => id === pointer)?.notification).toContain('[withdrawn]');
  });

  test('says what became of it, also where its first edit after the click failed', async () => {
    await using stage = await embeddedOnDiscord();
    const asked = stage.ask(database);
    await stage.card('Which database?');
    const struck = stage.discord.faults.api('update_message', { kind: 'status', status: 500 });
    await stage.discord.user(stage.ana).click({ channel: await stage.thread(), label: 'SQLite' }).settled;
    expect(await asked).toBe('answered');
    const isSettled = (notification: string) => notification.includes('[answered by Ana]');
    await stage.discord.until(
      stage.ana,
      stage.channel,
      ({ messages }) => messages.some(({ notification }) => isSettled(notification)),
      20_000,
    );
    expect(struck.hits).toBe(1);
  });
});
