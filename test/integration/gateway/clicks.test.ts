import { describe, expect, it } from 'vitest';
import { embeddedOnSlack } from '../../support/embedded-slack.ts';
import { batchOf, question } from '../../support/requests.ts';

const DATABASE = batchOf(question('Which database?', ['Postgres', 'Redis']));
const isSettled = (card: { controls: readonly unknown[] }) => card.controls.length === 0;

describe('clicks', () => {
  it('count once when somebody taps twice, and the second tap is silent or told who won', async () => {
    await using chat = await embeddedOnSlack();
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const target = { channel: chat.channel, message: card.ts, label: /Redis/ };
    const taps = [chat.slack.user(chat.ana).click(target), chat.slack.user(chat.ana).click(target)];
    for (const tap of taps) expect(await tap.settled).toMatchObject({ kind: 'acked' });
    expect(await outcome).toBe('answered');
    await chat.card('Which database?', isSettled);
    await chat.slack.until(chat.ana, chat.channel, () => chat.told(chat.ana).length === 1);
    expect(chat.told(chat.ana)[0]).toMatch(/^Already answered by Ana/);
  });

  it('of two people, both written before either is acknowledged, have one winner; the other is told who (promise: one-winner)', async () => {
    await using chat = await embeddedOnSlack();
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const tap = (user: string, label: RegExp) =>
      chat.slack.user(user).click({ channel: chat.channel, message: card.ts, label });
    const taps = [tap(chat.ana, /Postgres/), tap(chat.ben, /Redis/)];
    for (const one of taps) expect(await one.settled).toMatchObject({ kind: 'acked' });
    expect(await outcome).toBe('answered');
    const settled = JSON.stringify((await chat.card('Which database?', isSettled)).blocks);
    const winner = settled.includes('Ana') ? chat.ana : chat.ben;
    const loser = winner === chat.ana ? chat.ben : chat.ana;
    await chat.slack.until(loser, chat.channel, () => chat.told(loser).length > 0);
    expect(chat.told(loser)).toEqual([expect.stringMatching(winner === chat.ana ? /by Ana/ : /by Ben/)]);
    expect(chat.told(winner)).toEqual([]);
  });

  it('on a card that was answered meanwhile change nothing and say who answered (promise: late-click)', async () => {
    await using chat = await embeddedOnSlack();
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const old = chat.slack.user(chat.ben).stale(chat.channel);
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
    expect(await outcome).toBe('answered');
    const before = JSON.stringify((await chat.card('Which database?', isSettled)).blocks);
    await old.click({ message: card.ts, label: /Postgres/ }).settled;
    await chat.slack.until(chat.ben, chat.channel, () => chat.told(chat.ben).length === 1);
    expect(chat.told(chat.ben)[0]).toMatch(/^Already answered by Ana .* Your click changed nothing\.$/);
    expect(JSON.stringify((await chat.card('Which database?')).blocks)).toBe(before);
  });

  it('after the agent withdrew say so', async () => {
    await using chat = await embeddedOnSlack();
    const asker = new AbortController();
    const outcome = chat.ask(DATABASE, asker.signal);
    const card = await chat.card('Which database?');
    const old = chat.slack.user(chat.ben).stale(chat.channel);
    asker.abort();
    expect(await outcome).toBe('cancelled');
    await chat.card('Which database?', isSettled);
    old.click({ message: card.ts, label: /Redis/ });
    await chat.slack.until(chat.ben, chat.channel, () => chat.told(chat.ben).length === 1);
    expect(chat.told(chat.ben)[0]).toMatch(/^The agent withdrew this question/);
  });

  it.each([
    ['a guest', { is_restricted: true }, /Guests may not/],
    ['somebody of another workspace', { is_stranger: true, team_id: 'T0OTHER0001' }, /Only members of this workspace/],
  ])('of %s are refused in private (promise: who-may-answer)', async (_, flags, sentence) => {
    await using chat = await embeddedOnSlack();
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const other = chat.slack.workspace.addUser({ name: 'Gus', ...flags }).id;
    chat.slack.workspace.join(chat.channel, other);
    chat.slack.user(other).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
    await chat.slack.until(other, chat.channel, () => chat.told(other).length === 1);
    expect(chat.told(other)[0]).toMatch(sentence);
    expect(chat.told(chat.ana)).toEqual([]);
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
    expect(await outcome).toBe('answered');
  });

  it('of somebody the binding does not list are refused, and the form is not even opened', async () => {
    await using chat = await embeddedOnSlack({ owner: { questions: { operators: { slackUsers: ['U0NOBODY'] } } } });
    const asker = new AbortController();
    const outcome = chat.ask(DATABASE, asker.signal);
    const card = await chat.card('Which database?');
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: 'Other…' });
    await chat.slack.until(chat.ana, chat.channel, () => chat.told(chat.ana).length === 1);
    expect(chat.told(chat.ana)[0]).toMatch(/not among the people/);
    expect(chat.slack.screen(chat.ana, chat.channel).modals).toEqual([]);
    asker.abort();
    await outcome;
  });

  it('on an unknown or foreign button are acknowledged and told that the card is old; open requests stay open', async () => {
    await using chat = await embeddedOnSlack();
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const forged = { user: chat.ben, channel: chat.channel, ts: card.ts };
    const clicks = [
      chat.slack.deliver.action({ ...forged, actionId: 'somebody-elses-button', value: 'x' }),
      chat.slack.deliver.action({ ...forged, actionId: 'handraise.o0', value: 'from another version' }),
      chat.slack.deliver.action({ ...forged, actionId: 'handraise.o0', value: `1.${'A'.repeat(24)}.o0` }),
    ];
    for (const one of clicks) expect(await one.settled).toMatchObject({ kind: 'acked' });
    await chat.slack.until(chat.ben, chat.channel, () => chat.told(chat.ben).length === 3);
    expect(chat.told(chat.ben)).toMatchInlineSnapshot(`
      [
        "This button does not belong to a question of handraise, so nothing was recorded.",
        "This card is from an older version of handraise, so its buttons do nothing any more; nothing was recorded.",
        "This card is from an older version or from a run that is over; it cannot be answered any more, and nothing was recorded.",
      ]
    `);
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
    expect(await outcome).toBe('answered');
  });

  it('that Slack delivers again change nothing and say nothing', async () => {
    await using chat = await embeddedOnSlack();
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const tap = chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
    expect(await outcome).toBe('answered');
    await chat.card('Which database?', isSettled);
    for (let copy = 0; copy < 3; copy += 1) {
      expect(await chat.slack.deliver.again(tap).settled).toMatchObject({ kind: 'acked' });
    }
    expect(chat.told(chat.ana)).toEqual([]);
  });
});
