import { describe, expect, it } from 'vitest';
import { isAnswered } from '../../../src/core/outcomes.ts';
import { encodeAnswers } from '../../../src/core/questions/answers.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import type { ScreenMessage } from '../../doubles/slack/types.ts';
import { type EmbeddedSlack, embeddedOnSlack, everyMessage } from '../../support/embedded-slack.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { batchOf, question } from '../../support/requests.ts';

/** What broke in tools that do this job, each by the letter and number it has in our collection of public reports. */

const DATABASE = batchOf(question('Which database?', ['Postgres', 'Redis']));
const isSettled = (card: ScreenMessage) => card.controls.length === 0;

/** Asks, and returns the answers as the agent would read them. */
async function answersTo(chat: EmbeddedSlack, batch: QuestionBatch) {
  const result = await chat.embedded.prompter.ask(batch, { signal: new AbortController().signal });
  await result.delivered();
  if (!isAnswered(result.outcome)) throw new Error(result.outcome.kind);
  return encodeAnswers(batch, result.outcome.sheet);
}

async function openForm(chat: EmbeddedSlack, text: string, label: string | RegExp = 'Answer…') {
  const card = await chat.card(text, (found) => !isSettled(found));
  const user = chat.slack.user(chat.ana);
  user.click({ channel: chat.channel, message: card.ts, label });
  await chat.slack.until(chat.ana, chat.channel, (screen) => screen.modals.length === 1);
  return user;
}

describe('answers', () => {
  it('E12: a label with a comma comes back whole, ticked beside another one', async () => {
    await using chat = await embeddedOnSlack();
    const batch = batchOf(question('Which?', ['Yes, always', 'No', 'Later'], { multiSelect: true }));
    const answers = answersTo(chat, batch);
    const user = await openForm(chat, 'Which?');
    user.select({ block: 'q0.pick' }, ['Yes, always', 'Later']);
    user.submit();
    expect((await answers).answers).toEqual({ 'Which?': ['Yes, always', 'Later'] });
  });

  it('E13: two ticks and typed words arrive together, as an array', async () => {
    await using chat = await embeddedOnSlack();
    const answers = answersTo(chat, batchOf(question('Langs?', ['Py', 'Go', 'Rust'], { multiSelect: true })));
    const user = await openForm(chat, 'Langs?');
    user.select({ block: 'q0.pick' }, ['Py', 'Rust']);
    user.type({ block: 'q0.other' }, 'and some OCaml');
    user.submit();
    expect((await answers).answers).toEqual({ 'Langs?': ['Py', 'Rust', 'and some OCaml'] });
  });

  it('E14: Other opens a text box and is never an answer by itself', async () => {
    await using chat = await embeddedOnSlack();
    const answers = answersTo(chat, DATABASE);
    const user = await openForm(chat, 'Which database?', 'Other…');
    user.type({ block: 'q0.other' }, 'SQLite, in a file');
    user.submit();
    expect((await answers).answers).toEqual({ 'Which database?': 'SQLite, in a file' });
  });

  it('E11: ticking is not answering; nothing is sent before Send', async () => {
    await using chat = await embeddedOnSlack();
    const answers = answersTo(chat, batchOf(question('Langs?', ['Py', 'Go'], { multiSelect: true })));
    const user = await openForm(chat, 'Langs?');
    user.select({ block: 'q0.pick' }, ['Py']);
    expect((await chat.card('Langs?')).controls.length).toBeGreaterThan(0);
    user.select({ block: 'q0.pick' }, ['Go']);
    user.submit();
    expect((await answers).answers).toEqual({ 'Langs?': ['Go'] });
  });

  it('E4: two long options that read alike when clipped have buttons nobody can confuse, and the exact label comes back (promise: exact-label)', async () => {
    await using chat = await embeddedOnSlack();
    const long = (end: string) =>
      `Deploy to the production cluster of the region eu-west-1, ${'with care '.repeat(14)}${end}`;
    const answers = answersTo(chat, batchOf(question('Where?', [long('A'), long('B')])));
    const card = await chat.card('Where?');
    const shown = card.controls.map((control) => control.shown);
    expect(new Set(shown).size).toBe(shown.length);
    expect(JSON.stringify(card.blocks)).toContain(long('B'));
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: 'Choose 2' });
    expect((await answers).answers).toEqual({ 'Where?': long('B') });
  });

  it('skips one question of two, or all of them, and declines, each as itself (promise: every-shape)', async () => {
    await using chat = await embeddedOnSlack();
    const two = batchOf(question('First?', ['A', 'B']), question('Second?', ['C', 'D']));
    const some = answersTo(chat, two);
    const user = await openForm(chat, 'First?');
    user.select({ block: 'q1.pick' }, 'D');
    user.type({ block: 'q1.notes' }, 'but only on weekdays');
    user.submit();
    expect(await some).toEqual({
      answers: { 'Second?': 'D' },
      annotations: { 'Second?': { notes: 'but only on weekdays' } },
    });
    await chat.card('First?', isSettled);

    const press = async (text: string, label: string) => {
      const outcome = chat.ask(batchOf(question(text, ['A', 'B']), question(`${text} Sure?`, ['C', 'D'])));
      const card = await chat.card(text);
      chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label });
      return outcome;
    };
    expect(await press('Third?', 'Skip')).toBe('skipped');
    expect(await press('Fourth?', 'Decide without us')).toBe('declined');
  });
});

describe('late and lost', () => {
  it('D18: a form sent after the deadline is told so, with the typed words to use again', async () => {
    const clock = createFakeClock();
    await using chat = await embeddedOnSlack({ owner: { clock } });
    const outcome = chat.ask(DATABASE);
    const user = await openForm(chat, 'Which database?', 'Other…');
    user.type({ block: 'q0.other' }, 'the one Priya benchmarked last week');
    await clock.walk(300_000);
    expect(await outcome).toBe('timed_out');
    expect(await user.submit().settled).toMatchObject({ kind: 'acked' });
    await chat.slack.until(chat.ana, chat.channel, () => chat.told(chat.ana).length === 1);
    expect(chat.told(chat.ana)[0]).toMatch(/^Timed out/);
    expect(chat.told(chat.ana)[0]).toContain('the one Priya benchmarked last week');
  });

  it('C9: a tap whose connection is cut is tapped again, and counts once', async () => {
    await using chat = await embeddedOnSlack({ rateLimits: false });
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    const target = { channel: chat.channel, message: card.ts, label: /Redis/ };
    const first = chat.slack.user(chat.ana).click(target);
    chat.slack.sockets.kill();
    await first.settled;
    await chat.slack.next('socket', ({ state }) => state === 'open');
    const settledAlready = isSettled(await chat.card('Which database?'));
    if (!settledAlready) chat.slack.user(chat.ana).click(target);
    expect(await outcome).toBe('answered');
    await chat.card('Which database?', isSettled);
  });

  it('D14: a bot that is not in the channel is an error before the agent starts, with the cure', async () => {
    const started = embeddedOnSlack({ owner: {}, botIsMember: false });
    await expect(started).rejects.toMatchObject({ code: 'surface', hint: expect.stringContaining('/invite') });
  });

  it('H1: a click on the card of an earlier question does not answer the one that is open now', async () => {
    await using chat = await embeddedOnSlack();
    const first = chat.ask(DATABASE);
    const old = await chat.card('Which database?');
    const stale = chat.slack.user(chat.ben).stale(chat.channel);
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: old.ts, label: /Redis/ });
    await first;
    const second = chat.ask(batchOf(question('Which cloud?', ['Postgres', 'Redis'])));
    const open = await chat.card('Which cloud?');
    await stale.click({ message: old.ts, label: /Postgres/ }).settled;
    await chat.slack.until(chat.ben, chat.channel, () => chat.told(chat.ben).length === 1);
    expect((await chat.card('Which cloud?')).controls.length).toBeGreaterThan(0);
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: open.ts, label: /Redis/ });
    expect(await second).toBe('answered');
  });

  it('B21, H8, H9: what people write in the thread answers nothing', async () => {
    await using chat = await embeddedOnSlack({ subscribe: ['message'] });
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    for (const text of ['Redis', '1', '  ', 'lol', 'yes']) {
      chat.slack.user(chat.ben).say(chat.channel, text, card.threadTs === undefined ? {} : { threadTs: card.threadTs });
    }
    expect((await chat.card('Which database?')).controls.length).toBeGreaterThan(0);
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Postgres/ });
    expect(await outcome).toBe('answered');
  });
});

describe('what is posted', () => {
  it('C17: goes to the bound channel only', async () => {
    await using chat = await embeddedOnSlack();
    const elsewhere = chat.slack.workspace.addChannel({ name: 'general', members: [chat.ana] }).id;
    chat.slack.workspace.join(elsewhere, chat.slack.workspace.botUserId);
    const outcome = chat.ask(DATABASE);
    const card = await chat.card('Which database?');
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
    await outcome;
    expect(chat.slack.screen(chat.ana, elsewhere).messages).toEqual([]);
  });

  it('E20, E21, E25: carries no mention, link or hidden character of the agent, anywhere', async () => {
    await using chat = await embeddedOnSlack();
    const nasty = '<!channel> <@U1> <https://evil.example|Approve here> *bold* `x` @here \u202Egpj.exe\u200B :tada:';
    const batch = batchOf(
      question(`${nasty}?`, [`${nasty} A`, `${nasty} B`], {
        options: [`A`, 'B'].map((end) => ({ label: `${nasty} ${end}`, description: nasty })),
      }),
    );
    const answers = answersTo(chat, batch);
    const card = await chat.card('evil.example');
    expect(chat.slack.mentions).toEqual([]);
    expect(JSON.stringify(card)).not.toMatch(/[\u202E\u200B]/);
    const choice = card.controls.find((control) => control.text.includes('2') || control.text.endsWith('B'));
    chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, action: choice?.actionId ?? '' });
    expect((await answers).answers).toEqual({ [`${nasty}?`]: `${nasty} B` });
    await chat.card('evil.example', isSettled);
    expect(chat.slack.mentions).toEqual([]);
    const everything = everyMessage(chat.slack.screen(chat.ana, chat.channel).messages);
    expect(everything.map((message) => message.notification).join()).not.toMatch(/[\u202E\u200B]/);
  });
});
