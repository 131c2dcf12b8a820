import { describe, expect, it } from 'vitest';
import { embeddedOnSlack, everyMessage } from '../../support/embedded-slack.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { batchOf, question } from '../../support/requests.ts';

const DATABASE = batchOf(question('Which database?', ['Postgres', 'Redis']));
const TWO = batchOf(question('Which database?', ['Postgres', 'Redis']), question('Which cloud?', ['Ours', 'Theirs']));
const isSettled = (card: { controls: readonly unknown[] }) => card.controls.length === 0;

describe('posting', () => {
  it.each(['apply_then_drop', 'hang'] as const)(
    'leaves one card when the reply to the post is lost (%s) (promise: one-card)',
    async (kind) => {
      await using chat = await embeddedOnSlack();
      const isCard = (call: { args: Readonly<Record<string, unknown>> }) => call.args['thread_ts'] !== undefined;
      const fault = chat.slack.faults.api('chat.postMessage', { kind, match: isCard });
      const outcome = chat.ask(DATABASE);
      const card = await chat.slack.until(
        chat.ana,
        chat.channel,
        (screen) => screen.messages.find((message) => message.controls.length > 0 && fault.hits === 1),
        10_000,
      );
      chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
      expect(await outcome).toBe('answered');
      const cards = everyMessage(chat.slack.screen(chat.ana, chat.channel).messages).filter((message) =>
        JSON.stringify(message.blocks).includes('Which database?'),
      );
      expect(new Set(cards.map((message) => message.ts)).size).toBe(1);
    },
  );

  it('that ends while everything stops is settled before the run is over (promise: dead-asker)', async () => {
    await using chat = await embeddedOnSlack();
    const posting = new Promise<void>((resolve) => {
      const match = (call: { args: Readonly<Record<string, unknown>> }) => {
        const isCard = call.args['thread_ts'] !== undefined;
        if (isCard) resolve();
        return isCard;
      };
      chat.slack.faults.api('chat.postMessage', { kind: 'delay', ms: 500, match });
    });
    const agent = new AbortController();
    const outcome = chat.ask(DATABASE, agent.signal);
    await posting;
    agent.abort();
    expect(await outcome).toBe('cancelled');
    await chat.embedded.stop(3_000);
    expect(isSettled(await chat.card('Which database?'))).toBe(true);
  });

  it('waits as long as Slack says, and opens a form meanwhile without delay', async () => {
    await using chat = await embeddedOnSlack();
    const first = chat.ask(TWO);
    const card = await chat.card('Which cloud?');
    chat.slack.faults.api('chat.*', { kind: 'rate_limited', retryAfter: 2, times: 3 });
    const clicked = Date.now();
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: 'Answer…' });
    await chat.slack.until(chat.ana, chat.channel, (screen) => screen.modals.length === 1);
    const user = chat.slack.user(chat.ana);
    user.select({ block: 'q0.pick' }, 'Redis');
    user.select({ block: 'q1.pick' }, 'Ours');
    expect(await user.submit().settled).toMatchObject({ kind: 'acked' });
    expect(await first).toBe('answered');
    expect(Date.now() - clicked).toBeLessThan(2_000);
    await chat.card('Which cloud?', isSettled);
  });

  it('names a missing scope at the start, with the cure', async () => {
    const started = embeddedOnSlack({ scopes: ['chat:write', 'users:read'] });
    await expect(started).rejects.toMatchObject({ code: 'surface', hint: expect.stringMatching(/scope/) });
  });
});

describe('time', () => {
  it('runs out at the deadline: the card says so, and a late click is told that nothing was used (promise: silence-is-no-decision)', async () => {
    const clock = createFakeClock();
    await using chat = await embeddedOnSlack({ owner: { clock } });
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const old = chat.slack.user(chat.ben).stale(chat.channel);
    await clock.walk(300_000);
    expect(await outcome).toBe('timed_out');
    await chat.card('Which database?', isSettled);
    old.click({ message: card.ts, label: /Redis/ });
    await chat.slack.until(chat.ben, chat.channel, () => chat.told(chat.ben).length === 1);
    expect(chat.told(chat.ben)[0]).toMatch(/^Timed out .*your choice was not used\.$/);
  });
});

describe('connections', () => {
  it('that Slack refreshes again and again lose no answer and leave no rejection unhandled (promise: reconnects)', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      await using chat = await embeddedOnSlack({ rateLimits: false });
      const stop = chat.slack.sockets.rollingRefresh(250);
      for (let round = 0; round < 12; round += 1) {
        const text = `Which database, round ${round}?`;
        const outcome = chat.ask(batchOf(question(text, ['Postgres', 'Redis'])));
        const card = await chat.card(text, (found) => found.controls.length > 0);
        // Slack does not repeat an interaction whose connection went away: people tap again, and it counts once.
        while ((await tapped()) !== 'acked') await chat.slack.next('socket', ({ state }) => state === 'open');
        expect(await outcome).toBe('answered');
        async function tapped() {
          const tap = chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
          return (await tap.settled).kind;
        }
      }
      stop();
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
});
