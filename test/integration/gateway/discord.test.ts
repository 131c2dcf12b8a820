import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { DiscordDoubleOptions } from '../../doubles/discord/index.ts';
import { startSlackDouble } from '../../doubles/slack/index.ts';
import { embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { wordsOf } from '../../support/embedded-slack.ts';
import { batchOf, question } from '../../support/requests.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' }));

describe('a question on Discord', () => {
  test('is answered by a click, and its card and the line in the channel say by whom', async () => {
    await using stage = await embeddedOnDiscord();
    const asked = stage.ask(database);
    await stage.card('Which database?');
    const thread = await stage.thread();
    await stage.discord.user(stage.ana).click({ channel: thread, label: 'SQLite' }).settled;
    expect(await asked).toBe('answered');
    const settled = await stage.card('Answered', (card) => card.controls.length === 0);
    expect(settled.notification).toMatch(/Answered · by Ana/);
    expect(settled.notification).toContain('→ SQLite');
    const pointer = await stage.discord.until(stage.ana, stage.channel, (screen) =>
      screen.messages.find((message) => message.notification.includes('[answered by Ana]')),
    );
    expect(pointer.controls).toEqual([]);
  });

  test('that is withdrawn loses its buttons', async () => {
    await using stage = await embeddedOnDiscord();
    const leaving = new AbortController();
    const asked = stage.ask(database, leaving.signal);
    await stage.card('Which database?');
    leaving.abort();
    expect(await asked).toBe('cancelled');
    await stage.card('Withdrawn', (card) => card.controls.length === 0);
  });

  test('refuses people who may not answer, in private', async () => {
    await using stage = await embeddedOnDiscord({ owner: { questions: { operators: { discordRoles: ['1'] } } } });
    const leaving = new AbortController();
    const asked = stage.ask(database, leaving.signal);
    await stage.card('Which database?');
    await stage.discord.user(stage.ben).click({ channel: await stage.thread(), label: 'SQLite' }).settled;
    await stage.discord.until(stage.ben, await stage.thread(), (screen) =>
      screen.messages.some((message) => message.ephemeral),
    );
    expect(await stage.told(stage.ben)).toEqual([expect.stringContaining('You are not among the people')]);
    leaving.abort();
    expect(await asked).toBe('cancelled');
  });
});

describe('a clock of this machine that is wrong', () => {
  test.each([
    ['5 s ahead', 5_000],
    ['5 s behind', -5_000],
  ])('by %s changes nothing: buttons and forms work, and an old click that comes again does not', async (_, off) => {
    const clock = { ...systemClock, now: () => systemClock.now() + off };
    await using stage = await embeddedOnDiscord({ owner: { clock } });
    const { discord, ana } = stage;
    const asked = stage.ask(database);
    await stage.card('Which database?');
    const thread = await stage.thread();
    const old = discord.user(ana).click({ channel: thread, label: 'SQLite' });
    expect(await asked).toBe('answered');
    const typed = stage.ask(batchOf(question('Which queue?', ['Kafka', 'Rabbit'])));
    await stage.card('Which queue?');
    await discord.clock.advance(16_000);
    discord.deliver.again(old);
    await discord.user(ana).click({ channel: thread, label: 'Other…' }).settled;
    discord.user(ana).type({ label: 'Your answer' }, 'NATS');
    await discord.user(ana).submit().settled;
    expect(await typed).toBe('answered');
    await stage.card('NATS', (card) => card.controls.length === 0);
    expect(await stage.told(ana)).toEqual([]);
  });
});

/** One gateway on both platforms, with Ana on each, and Ben on Discord. */
async function onBoth(double: DiscordDoubleOptions = {}) {
  const slack = await startSlackDouble();
  const ana = slack.workspace.addUser({ name: 'Ana' }).id;
  const slackTo = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
  slack.workspace.join(slackTo, slack.workspace.botUserId);
  const tokens = { botToken: new Secret(slack.botToken), appToken: new Secret(slack.appToken), apiUrl: slack.apiUrl };
  const stage = await embeddedOnDiscord({
    rateLimits: false,
    ...double,
    owner: { more: { slack: tokens, slackTo } },
  }).catch(async (error: unknown) => {
    await slack.close();
    throw error;
  });
  const words = () =>
    slack
      .screen(ana, slackTo)
      .messages.flatMap((one) => [one, ...one.replies])
      .map(wordsOf);
  return {
    stage,
    slack,
    ana,
    slackTo,
    words,
    /** Waits until a card in Slack says both. */
    slackSays: (...texts: string[]) =>
      slack.until(ana, slackTo, () => words().some((text) => texts.every((one) => text.includes(one))), WITHIN_MS),
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      const { violations } = slack;
      await slack.close();
      expect(violations).toEqual([]);
    },
  };
}

const WITHIN_MS = 20_000;

describe('a question on both platforms', () => {
  test.each(['slack', 'discord'] as const)('is answered on %s, and the other card settles', async (winner) => {
    await using both = await onBoth();
    const { stage, slack } = both;
    const asked = stage.ask(database);
    await stage.card('Which database?');
    await both.slackSays('Which database?');
    if (winner === 'slack') slack.user(both.ana).click({ channel: both.slackTo, label: 'Postgres' });
    else stage.discord.user(stage.ben).click({ channel: await stage.thread(), label: 'Postgres' });
    expect(await asked).toBe('answered');
    const name = winner === 'slack' ? 'Ana' : 'Ben';
    // Each names who, and where it was not there.
    const on = { slack: winner === 'slack' ? '' : ' on Discord', discord: winner === 'slack' ? ' on Slack' : '' };
    expect((await stage.card('Answered')).notification).toContain(`by ${name}${on.discord} ·`);
    await both.slackSays(`Answered · by ${name}${on.slack} ·`);
  });

  test('has one winner when both are clicked in the same moment, and both cards name that one', async () => {
    await using both = await onBoth();
    const { stage, slack } = both;
    const won = { slack: 0, discord: 0 };
    for (let round = 0; round < 12; round += 1) {
      const text = `Round ${round}?`;
      const asked = stage.embedded.prompter.ask(batchOf(question(text, ['Postgres', 'SQLite'])), {
        signal: new AbortController().signal,
      });
      const onDiscord = await stage.card(text, ({ controls }) => controls.length > 0);
      await both.slackSays(text, 'Postgres');
      const message = slack
        .screen(both.ana, both.slackTo)
        .messages.flatMap((one) => [one, ...one.replies])
        .find((one) => wordsOf(one).includes(text) && wordsOf(one).includes('Postgres'));
      const clicks = [
        () => slack.user(both.ana).click({ channel: both.slackTo, message: message?.ts ?? '', label: 'Postgres' }),
        async () => {
          const channel = await stage.thread();
          stage.discord.user(stage.ben).click({ channel, message: onDiscord.id, label: 'SQLite' });
        },
      ];
      for (const click of round % 2 === 0 ? clicks : clicks.reverse()) void click();
      const result = await asked;
      await result.delivered();
      const winner = result.outcome.kind === 'answered' ? result.decidedBy?.platform : undefined;
      if (winner !== 'slack' && winner !== 'discord') throw new Error(`nobody won: ${JSON.stringify(result.outcome)}`);
      won[winner] += 1;
      expect(JSON.stringify(result.outcome)).toContain(winner === 'slack' ? 'Postgres' : 'SQLite');
      const [who, where] = winner === 'slack' ? ['Ana', ' on Slack'] : ['Ben', ' on Discord'];
      await stage.card(text, ({ notification }) =>
        notification.includes(`Answered · by ${who}${winner === 'slack' ? where : ''} ·`),
      );
      await both.slackSays(text, `Answered · by ${who}${winner === 'discord' ? where : ''} ·`);
    }
    expect(won.slack + won.discord).toBe(12);
  }, 60_000);

  test('that ends while Discord’s connection is away and its session lost is drawn over REST, and stays so', async () => {
    await using both = await onBoth({ sockets: { resumeWindowS: 0 } });
    const { stage, slack } = both;
    const { identifies } = stage.discord.sockets;
    const asked = stage.ask(database);
    await stage.card('Which database?');
    await both.slackSays('Which database?');
    const back = stage.discord.next('ready', () => true, WITHIN_MS);
    await stage.discord.sockets.down();
    // Of this click handraise never hears.
    const lost = stage.discord.user(stage.ben).click({ channel: await stage.thread(), label: 'SQLite' });
    const failing = stage.discord.faults.api('update_message', { kind: 'drop', times: 2 });
    slack.user(both.ana).click({ channel: both.slackTo, label: 'Postgres' });
    expect(await asked).toBe('answered');
    await stage.card('Answered · by Ana on Slack', ({ controls }) => controls.length === 0);
    expect(failing.hits).toBe(2);
    await stage.discord.sockets.up();
    await back;
    expect(stage.discord.sockets.identifies).toBeGreaterThan(identifies);
    const next = stage.ask(batchOf(question('Which queue?', ['Kafka', 'Rabbit'])));
    await stage.card('Which queue?');
    await stage.discord.user(stage.ben).click({ channel: await stage.thread(), label: 'Kafka' }).settled;
    expect(await next).toBe('answered');
    await stage.card('Answered · by Ana on Slack', ({ controls }) => controls.length === 0);
    await lost.settled;
    expect(stage.discord.takeViolations().map(({ rule }) => rule)).toEqual(['unanswered']);
  }, 60_000);
});
