import { describe, expect, test } from 'vitest';
import type { Proposal } from '../../../src/core/proposals/contract.ts';
import { createRedactor } from '../../../src/core/redact/redactor.ts';
import { secretPositions } from '../../../src/gate/redact/secret-positions.ts';
import type { EmbeddedDiscord } from '../../support/embedded-discord.ts';
import { embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { type EmbeddedSlack, embeddedOnSlack, everyMessage, wordsOf } from '../../support/embedded-slack.ts';
import { everythingIn, leaksIn } from '../../support/leaks.ts';
import { writeOf } from '../../support/proposals.ts';
import { moreRedactionCases, type RedactionCase, redactionCases } from '../../support/redaction-cases.ts';
import { batchOf, question } from '../../support/requests.ts';

const redactor = createRedactor({ locate: secretPositions });
const PASSWORD = ['hunter2', 'correct8942'].join('');
const approvers = ({ ana, ben }: { ana: string; ben: string }) => ({
  slackUsers: [ana, ben],
  discordUsers: [ana, ben],
});

/** The text wherever a step has one, as the gate would have it. */
function stepWith({ text }: RedactionCase): Proposal {
  return writeOf({
    full: { kind: 'command', text },
    part: text,
    reason: `it says ${text}`,
    programs: [{ name: 'x', effect: 'write', text }],
    agentSays: text,
  });
}

/** Proposes all at once and withdraws them when `posted` says that they are on cards. */
async function proposeAll(
  { embedded }: Pick<EmbeddedSlack | EmbeddedDiscord, 'embedded'>,
  steps: readonly Proposal[],
  posted: () => number,
): Promise<void> {
  const withdrawal = new AbortController();
  const proposing = steps.map(async (step) => {
    const result = await embedded.prompter.propose(step, { signal: withdrawal.signal });
    await result.delivered();
  });
  await expect.poll(posted, { timeout: 90_000 }).toBeGreaterThanOrEqual(steps.length);
  withdrawal.abort();
  await Promise.all(proposing);
}

describe('secrets in what an agent proposes', () => {
  test('are on no card, edit or file of Slack, nor in the log, the audit or the journal; all else is', async () => {
    await using stage = await embeddedOnSlack({ rateLimits: false, owner: { approvers, redactor } });
    const { slack, ana, channel } = stage;
    // A card is in its thread and, broadcast, in the channel: each counts once.
    const posted = () => {
      const cards = everyMessage(slack.screen(ana, channel).messages).filter((card) => card.controls.length > 0);
      return [...new Map(cards.map((card) => [card.ts, card])).values()];
    };
    const withdrawal = new AbortController();
    const proposing = redactionCases.map(async (one) => {
      const result = await stage.embedded.prompter.propose(stepWith(one), { signal: withdrawal.signal });
      await result.delivered();
    });
    await expect.poll(() => posted().length, { timeout: 90_000 }).toBeGreaterThanOrEqual(redactionCases.length);
    const seen = posted().map(wordsOf).join('\n');
    withdrawal.abort();
    await Promise.all(proposing);
    expect(leaksIn(seen)).toEqual([]);
    expect(redactionCases.flatMap(({ keep }) => keep).filter((kept) => !seen.includes(kept))).toEqual([]);
    expect(leaksIn(JSON.stringify(slack.calls))).toEqual([]);
    expect(leaksIn(everythingIn(stage.stateDirectory))).toEqual([]);
    expect(leaksIn(JSON.stringify(stage.log.lines))).toEqual([]);
  }, 180_000);

  test('nor on Discord', async () => {
    await using stage = await embeddedOnDiscord({ rateLimits: false, owner: { approvers, redactor } });
    const steps = redactionCases.filter((_, index) => index % 3 === 0).map(stepWith);
    const posts = () => stage.discord.calls.filter(({ method }) => method === 'create_message').length;
    await proposeAll(stage, steps, posts);
    expect(leaksIn(JSON.stringify(stage.discord.calls))).toEqual([]);
    expect(leaksIn(everythingIn(stage.stateDirectory))).toEqual([]);
  }, 180_000);

  test('are in no Review view and no file of a step that does not fit its card', async () => {
    await using stage = await embeddedOnSlack({ owner: { approvers, redactor } });
    const text = [...redactionCases, ...moreRedactionCases].map((one) => one.text).join('\n');
    const step = writeOf({ full: { kind: 'diff', path: '/home/ana/api/all.txt', text } });
    const withdrawal = new AbortController();
    const proposing = stage.embedded.prompter.propose(step, { signal: withdrawal.signal });
    await stage.card('WRITE');
    const ana = stage.slack.user(stage.ana);
    await ana.click({ channel: stage.channel, label: 'Review…' }).settled;
    await expect.poll(() => stage.slack.screen(stage.ana, stage.channel).modals.length, { timeout: 20_000 }).toBe(1);
    const [modal] = stage.slack.screen(stage.ana, stage.channel).modals;
    expect(JSON.stringify(modal)).toContain('[secret:');
    expect(leaksIn(JSON.stringify(modal))).toEqual([]);
    expect(leaksIn(JSON.stringify(stage.slack.calls))).toEqual([]);
    withdrawal.abort();
    expect((await proposing).outcome).toEqual({ kind: 'cancelled' });
  }, 60_000);
});

describe('secrets in what an agent asks', () => {
  test('are masked in texts, options and previews, while the agent gets its own labels back', async () => {
    await using stage = await embeddedOnSlack({ owner: { redactor } });
    const labels = [`use ${PASSWORD}`, `use old${PASSWORD}`];
    const asked = {
      ...question(`The password is ${PASSWORD}. Keep it, or take the password old${PASSWORD}?`, labels),
      options: labels.map((label) => ({
        label,
        description: `psql postgres://app:${label.slice(4)}@db/x`,
        preview: `TOKEN=${label.slice(4)}`,
      })),
    };
    const asking = stage.embedded.prompter.ask(batchOf(asked), { signal: new AbortController().signal });
    await stage.card('use [secret:password#2]');
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'use [secret:password#2]' }).settled;
    const { outcome, delivered } = await asking;
    await delivered();
    expect(outcome).toMatchObject({ kind: 'answered', sheet: [{ labels: [`use old${PASSWORD}`] }] });
    await stage.card('Answered');
    expect(JSON.stringify(stage.slack.calls)).not.toContain(PASSWORD);
    expect(everythingIn(stage.stateDirectory)).not.toContain(PASSWORD);
  });

  test('of the whole corpus are on no card', async () => {
    await using stage = await embeddedOnSlack({ rateLimits: false, owner: { redactor } });
    for (let from = 0; from < redactionCases.length; from += 12) {
      const texts = redactionCases.slice(from, from + 12).map(({ text }) => text);
      const withdrawal = new AbortController();
      const batch = batchOf(
        ...[0, 1, 2, 3].map((at) => ({
          ...question(`${from + at}: ${texts[at * 3] ?? 'none'}`, ['yes', 'no']),
          options: [
            { label: texts[at * 3 + 1] ?? 'yes', description: texts[at * 3 + 2] ?? 'none' },
            { label: 'another', description: texts[at * 3] ?? 'none' },
          ],
        })),
      );
      const asking = stage.embedded.prompter.ask(batch, { signal: withdrawal.signal });
      await stage.card(`${from}: `, (card) => card.controls.length > 0);
      withdrawal.abort();
      await (await asking).delivered();
    }
    expect(leaksIn(JSON.stringify(stage.slack.calls))).toEqual([]);
    expect(leaksIn(everythingIn(stage.stateDirectory))).toEqual([]);
  }, 120_000);
});
