import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
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

describe('a question on both platforms', () => {
  test.each(['slack', 'discord'] as const)('is answered on %s, and the other card settles', async (winner) => {
    const slack = await startSlackDouble();
    const ana = slack.workspace.addUser({ name: 'Ana' }).id;
    const slackTo = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
    slack.workspace.join(slackTo, slack.workspace.botUserId);
    const tokens = { botToken: new Secret(slack.botToken), appToken: new Secret(slack.appToken), apiUrl: slack.apiUrl };
    {
      await using stage = await embeddedOnDiscord({ owner: { more: { slack: tokens, slackTo } } });
      const asked = stage.ask(database);
      await stage.card('Which database?');
      await slack.until(ana, slackTo, (screen) => JSON.stringify(screen).includes('Postgres'));
      if (winner === 'slack') slack.user(ana).click({ channel: slackTo, label: 'Postgres' });
      else stage.discord.user(stage.ben).click({ channel: await stage.thread(), label: 'Postgres' });
      expect(await asked).toBe('answered');
      const name = winner === 'slack' ? 'Ana' : 'Ben';
      // Each names who, and where it was not there.
      const on = { slack: winner === 'slack' ? '' : ' on Discord', discord: winner === 'slack' ? ' on Slack' : '' };
      expect((await stage.card('Answered')).notification).toContain(`by ${name}${on.discord} ·`);
      await slack.until(ana, slackTo, (screen) =>
        screen.messages.some((message) => wordsOf(message).includes(`Answered · by ${name}${on.slack} ·`)),
      );
    }
    expect(slack.violations).toEqual([]);
    await slack.close();
  });
});
