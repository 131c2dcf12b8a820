import { describe, expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { type Clock, systemClock } from '../../../src/core/clock.ts';
import type { Proposal } from '../../../src/core/proposals/contract.ts';
import { startSlackDouble } from '../../doubles/slack/index.ts';
import { embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { type EmbeddedSlack, embeddedOnSlack } from '../../support/embedded-slack.ts';
import { pushOf, writeOf } from '../../support/proposals.ts';
import { batchOf, question } from '../../support/requests.ts';

const LONG = writeOf({ full: { kind: 'command', text: `${'echo x\n'.repeat(60)}rm last` } });
const approvers = ({ ana, ben }: { ana: string; ben: string }) => ({
  slackUsers: [ana, ben],
  discordUsers: [ana, ben],
});
const onlyAna = ({ ana }: { ana: string }) => ({ slackUsers: [ana] });

/** Proposes, and delivers whatever comes back. */
async function propose(
  { embedded }: Pick<EmbeddedSlack, 'embedded'>,
  proposal: Proposal,
  signal = new AbortController().signal,
) {
  const result = await embedded.prompter.propose(proposal, { signal });
  await result.delivered();
  return result.outcome;
}

describe('a proposal on Slack', () => {
  test('is allowed by a listed approver, and says so once the agent has it', async () => {
    await using stage = await embeddedOnSlack({ owner: { approvers } });
    const result = stage.embedded.prompter.propose(writeOf(), { signal: new AbortController().signal });
    await stage.card('WRITE');
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Allow for this turn' }).settled;
    const { outcome, delivered } = await result;
    expect(outcome).toEqual({ kind: 'granted', scope: 'turn' });
    await stage.card('Recorded, waiting for the agent');
    await delivered();
    await stage.card('Allowed', (card) => card.controls.length === 0);
  });

  test('takes no decision of anybody else, by click or by form, and tells them in private', async () => {
    await using stage = await embeddedOnSlack({ owner: { approvers: onlyAna } });
    const proposed = propose(stage, LONG);
    await stage.card('WRITE');
    const ben = stage.slack.user(stage.ben);
    for (const label of ['Deny', 'Deny with note…', 'Review…']) {
      const before = stage.told(stage.ben).length;
      await ben.click({ channel: stage.channel, label }).settled;
      await expect.poll(() => stage.told(stage.ben).length, { timeout: 20_000 }).toBe(before + 1);
    }
    expect(stage.told(stage.ben)).toEqual(Array(3).fill(expect.stringContaining('You are not among the people')));
    expect(stage.slack.screen(stage.ben, stage.channel).modals).toEqual([]);
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Deny' }).settled;
    expect(await proposed).toEqual({ kind: 'denied' });
  });

  test('is put to nobody where nobody may approve, and comes back at once with who could change that', async () => {
    await using stage = await embeddedOnSlack();
    const outcome = await propose(stage, writeOf());
    expect(outcome).toEqual({ kind: 'no_channel', cure: expect.stringContaining('grants.approvers') });
    expect(stage.slack.calls.filter(({ method }) => method === 'chat.postMessage')).toEqual([]);
  });

  test('gives the agent the note of whoever denies it', async () => {
    await using stage = await embeddedOnSlack({ owner: { approvers } });
    const proposed = propose(stage, writeOf());
    await stage.card('WRITE');
    const ana = stage.slack.user(stage.ana);
    await ana.click({ channel: stage.channel, label: 'Deny with note…' }).settled;
    await stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals.length > 0);
    ana.type({ block: 'note' }, 'Use the staging bucket.');
    await ana.submit().settled;
    expect(await proposed).toEqual({ kind: 'denied', note: 'Use the staging bucket.' });
    await stage.card('Use the staging bucket.', (card) => card.controls.length === 0);
  });

  test('opens beside a question and other proposals, each with its own card', async () => {
    await using stage = await embeddedOnSlack({ owner: { approvers } });
    const asked = stage.ask(batchOf(question('Which database?', ['Postgres', 'SQLite'])));
    await stage.card('Which database?');
    const write = propose(stage, writeOf());
    const push = propose(stage, pushOf());
    await stage.card('EXTERNAL');
    await stage.card('WRITE');
    const ana = stage.slack.user(stage.ana);
    await ana.click({ channel: stage.channel, label: 'Allow once…', confirm: true }).settled;
    expect(await push).toEqual({ kind: 'granted', scope: 'action' });
    await ana.click({ channel: stage.channel, label: 'Allow once' }).settled;
    expect(await write).toEqual({ kind: 'granted', scope: 'action' });
    await ana.click({ channel: stage.channel, label: 'SQLite' }).settled;
    expect(await asked).toBe('answered');
  });

  test('is decided by one of an approval and a refusal in the same moment, and the other is told', async () => {
    await using stage = await embeddedOnSlack({ owner: { approvers } });
    for (let round = 0; round < 5; round += 1) {
      const proposed = propose(stage, writeOf({ digest: `${round}`.repeat(64) }));
      const card = await stage.card('WRITE', ({ controls }) => controls.length > 0);
      const told = stage.told(stage.ana).length + stage.told(stage.ben).length;
      const target = { channel: stage.channel, message: card.ts };
      const clicks = [
        stage.slack.user(stage.ana).click({ ...target, label: 'Allow for this turn' }),
        stage.slack.user(stage.ben).click({ ...target, label: 'Deny' }),
      ];
      await Promise.all(clicks.map(({ settled }) => settled));
      const { kind } = await proposed;
      const loser = kind === 'granted' ? stage.ben : stage.ana;
      const words = kind === 'granted' ? 'Already allowed by Ana' : 'Already denied by Ben';
      await expect
        .poll(() => stage.told(stage.ana).length + stage.told(stage.ben).length, { timeout: 20_000 })
        .toBe(told + 1);
      expect(stage.told(loser).at(-1)).toContain(words);
      await stage.card(
        kind === 'granted' ? 'Allowed' : 'Denied',
        ({ ts, controls }) => ts === card.ts && controls.length === 0,
      );
    }
  });

  test('that nobody decides in time is said to be unanswered, not refused; a late click changes nothing', async () => {
    let ahead = 0;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
    await using stage = await embeddedOnSlack({ owner: { approvers, clock } });
    const proposed = propose(stage, writeOf());
    await stage.card('WRITE');
    const stale = stage.slack.user(stage.ana).stale(stage.channel);
    ahead = 300_001;
    expect(await proposed).toEqual({ kind: 'timed_out', shown: true, waitedMs: 300_000 });
    await stage.card('this is not a refusal', ({ controls }) => controls.every(({ text }) => text === 'Ask again'));
    await stale.click({ label: 'Allow for this turn' }).settled;
    await expect.poll(() => stage.told(stage.ana), { timeout: 20_000 }).toHaveLength(1);
    expect(stage.told(stage.ana)[0]).toMatch(/Timed out.*nothing was run/);
  });
});

describe('a proposal on both platforms', () => {
  test.each(['slack', 'discord'] as const)('is decided on %s, and the other card settles', async (winner) => {
    const slack = await startSlackDouble();
    const ana = slack.workspace.addUser({ name: 'Ana' }).id;
    const slackTo = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
    slack.workspace.join(slackTo, slack.workspace.botUserId);
    const tokens = { botToken: new Secret(slack.botToken), appToken: new Secret(slack.appToken), apiUrl: slack.apiUrl };
    {
      const may = (people: { ana: string }) => ({ slackUsers: [ana], discordUsers: [people.ana] });
      await using stage = await embeddedOnDiscord({ owner: { approvers: may, more: { slack: tokens, slackTo } } });
      const proposed = propose(stage, pushOf());
      const card = await stage.card('EXTERNAL');
      await slack.until(ana, slackTo, (screen) => JSON.stringify(screen).includes('EXTERNAL'));
      const thread = await stage.thread();
      const person = stage.discord.user(stage.ana);
      if (winner === 'slack') {
        await slack.user(ana).click({ channel: slackTo, label: 'Allow once…', confirm: true }).settled;
      } else {
        await person.click({ channel: thread, message: card.id, label: 'Allow once…' }).settled;
        await stage.discord.until(stage.ana, thread, (screen) =>
          screen.messages.some(({ ephemeral, controls }) => ephemeral && controls.length > 0),
        );
        await person.click({ channel: thread, customId: /\.caction$/ }).settled;
      }
      expect(await proposed).toEqual({ kind: 'granted', scope: 'action' });
      await stage.card('Allowed', ({ ephemeral, controls }) => !ephemeral && controls.length === 0);
      await slack.until(ana, slackTo, (screen) => {
        const text = JSON.stringify(screen);
        return text.includes('Allowed') && !text.includes('Allow once…');
      });
    }
    await slack.close();
    expect(slack.violations).toEqual([]);
  });
});
