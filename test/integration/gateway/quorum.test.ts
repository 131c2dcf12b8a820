import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { startSlackDouble } from '../../doubles/slack/index.ts';
import { auditIn, type Waiting, waiting } from '../../support/decision-desk.ts';
import { embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { writeOf } from '../../support/proposals.ts';

const ROLE = '900000000000000001';

/**
 * One step that takes two people, on a card in Slack and one in Discord. Ana and Cem are listed on Slack, Ben and Cem on
 * Discord, and whoever has the role; Cem is one person.
 */
async function openStage() {
  const slack = await startSlackDouble();
  const [ana, cem] = [slack.workspace.addUser({ name: 'Ana' }).id, slack.workspace.addUser({ name: 'Cem' }).id];
  const slackTo = slack.workspace.addChannel({ name: 'agents', members: [ana, cem] }).id;
  slack.workspace.join(slackTo, slack.workspace.botUserId);
  const tokens = { botToken: new Secret(slack.botToken), appToken: new Secret(slack.appToken), apiUrl: slack.apiUrl };
  const cemOnDiscord = '800000000000000003';
  const chat = await embeddedOnDiscord({
    rateLimits: false,
    owner: {
      approvers: ({ ben }) => ({
        slackUsers: [ana, cem],
        discordUsers: [ben, cemOnDiscord],
        discordRoles: [ROLE],
      }),
      quorum: { write: 2, external: 2 },
      more: { slack: tokens, slackTo, people: [{ slack: cem, discord: cemOnDiscord }] },
    },
  });
  const { guild } = chat.discord;
  guild.addMember({ id: cemOnDiscord, name: 'cem', displayName: 'Cem' });
  guild.addRole({ id: ROLE, name: 'oncall' });
  const step: Waiting = await waiting(chat.embedded, writeOf());
  const ts = await slack.until(ana, slackTo, ({ messages }) => {
    const all = messages.flatMap((message) => [message, ...message.replies]);
    return all.find(({ controls }) => controls.some(({ value }) => value?.includes(step.requestId)))?.ts;
  });
  const thread = await chat.thread();
  const { id: message } = await chat.card('WRITE', ({ controls }) => controls.length > 1);
  const buttons = { turn: 'gturn', action: 'gaction', session: 'gsession', deny: 'deny' } as const;
  return {
    chat,
    slack,
    ana,
    cem,
    ben: chat.ben,
    cemOnDiscord,
    step,
    /** Waits until both cards say so. */
    async shown(text: string): Promise<void> {
      await slack.until(ana, slackTo, (screen) => JSON.stringify(screen).includes(text));
      await chat.discord.until(chat.ana, thread, (screen) => JSON.stringify(screen).includes(text));
    },
    told: (user: string) => JSON.stringify(slack.screen(user, slackTo).messages.filter(({ ephemeral }) => ephemeral)),
    onSlack(user: string, what: keyof typeof SLACK_BUTTONS) {
      const name = SLACK_BUTTONS[what];
      const at = { user, channel: slackTo, ts, actionId: `handraise.${name}`, value: `1.${step.requestId}.${name}` };
      return slack.deliver.action(at);
    },
    onDiscord(user: string, what: keyof typeof buttons) {
      const customId = `handraise.1.${step.requestId}.${buttons[what]}`;
      return chat.discord.deliver.action({ user, channel: thread, message, customId });
    },
    rows: (event: string) => auditIn(chat.stateDirectory).filter((row) => row.event === event),
    async [Symbol.asyncDispose]() {
      step.withdraw();
      await step.outcome;
      await chat[Symbol.asyncDispose]();
      await slack.close();
      expect(slack.violations).toEqual([]);
    },
  };
}

const SLACK_BUTTONS = { turn: 'gturn', action: 'gaction', session: 'gsession', deny: 'deny' } as const;

describe('a step that takes two people', () => {
  it('is allowed by clicks on both platforms that are on their way at once, for the least that they agree on', async () => {
    await using stage = await openStage();
    stage.onSlack(stage.ana, 'session');
    stage.onDiscord(stage.ben, 'turn');
    expect(await stage.step.outcome).toEqual({ kind: 'granted', scope: 'turn' });
    expect(stage.rows('voted')).toHaveLength(1);
    expect(stage.rows('claimed')).toMatchObject([{ outcome: 'granted', picks: ['turn'] }]);
    const who = [...stage.rows('voted'), ...stage.rows('claimed')].map(({ actor }) => actor?.userId);
    expect(who.sort()).toEqual([stage.ana, stage.ben].sort());
    await stage.shown('Allowed');
  });

  it('says on both cards how far it has come, and in private what is missing', async () => {
    await using stage = await openStage();
    await stage.shown('0 of 2 approvals');
    stage.onSlack(stage.ana, 'turn');
    await stage.shown('1 of 2 approvals, allowed by Ana');
    await expect.poll(() => stage.told(stage.ana), { timeout: 20_000 }).toMatch(/Recorded: 1 of 2/);
    stage.onDiscord(stage.ben, 'turn');
    expect(await stage.step.outcome).toEqual({ kind: 'granted', scope: 'turn' });
    await stage.shown('Ana');
  });

  it('is not allowed by one person twice, on one platform or under a linked id on the other', async () => {
    await using stage = await openStage();
    stage.onSlack(stage.cem, 'turn');
    await stage.shown('1 of 2 approvals');
    stage.onSlack(stage.cem, 'session');
    stage.onDiscord(stage.cemOnDiscord, 'turn');
    await expect.poll(() => stage.rows('click_refused').length, { timeout: 20_000 }).toBe(2);
    expect(stage.rows('click_refused')).toMatchObject([{ reason: 'voted_before' }, { reason: 'voted_before' }]);
    stage.onDiscord(stage.ben, 'turn');
    expect(await stage.step.outcome).toEqual({ kind: 'granted', scope: 'turn' });
  });

  it('has one end when a denial races the second approval', async () => {
    await using stage = await openStage();
    stage.onSlack(stage.ana, 'turn');
    await stage.shown('1 of 2 approvals');
    stage.onDiscord(stage.ben, 'turn');
    stage.onSlack(stage.cem, 'deny');
    const outcome = await stage.step.outcome;
    expect(['granted', 'denied']).toContain(outcome.kind);
    expect(stage.rows('claimed')).toMatchObject([{ outcome: outcome.kind }]);
    await expect.poll(() => stage.rows('click_refused').length, { timeout: 20_000 }).toBe(1);
    await stage.shown(outcome.kind === 'granted' ? 'Allowed' : 'Denied');
  });

  it('is ended by one denial, whoever allowed it before', async () => {
    await using stage = await openStage();
    stage.onSlack(stage.ana, 'turn');
    await stage.shown('1 of 2 approvals');
    stage.onDiscord(stage.ben, 'deny');
    expect(await stage.step.outcome).toEqual({ kind: 'denied' });
  });

  it('does not count somebody who lost the role before the second one came: that one is the first', async () => {
    await using stage = await openStage();
    const { guild } = stage.chat.discord;
    guild.giveRole(stage.chat.ana, ROLE);
    stage.onDiscord(stage.chat.ana, 'turn');
    await stage.shown('1 of 2 approvals, allowed by Ana');
    guild.takeRole(stage.chat.ana, ROLE);
    stage.onDiscord(stage.ben, 'turn');
    await stage.shown('1 of 2 approvals, allowed by Ben');
    expect(stage.rows('vote_struck')).toMatchObject([{ actor: { userId: stage.chat.ana }, reason: 'not_listed' }]);
    expect(stage.rows('claimed')).toEqual([]);
    stage.onSlack(stage.cem, 'turn');
    expect(await stage.step.outcome).toEqual({ kind: 'granted', scope: 'turn' });
  });

  it('does not count on somebody of whom Discord cannot tell whether they still may', async () => {
    await using stage = await openStage();
    stage.onDiscord(stage.ben, 'turn');
    await stage.shown('1 of 2 approvals');
    stage.chat.discord.faults.api('get_guild_member', { kind: 'status', status: 500, times: 10 });
    stage.onSlack(stage.ana, 'turn');
    await expect.poll(() => stage.told(stage.ana), { timeout: 20_000 }).toMatch(/could not check whether those who/);
    expect(stage.rows('click_refused')).toMatchObject([{ reason: 'voters_unverified' }]);
    expect(stage.rows('claimed')).toEqual([]);
  });
});
