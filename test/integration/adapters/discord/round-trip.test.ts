import { describe, expect, test } from 'vitest';
import type { ScreenMessage } from '../../../doubles/discord/index.ts';
import { batchOf, question } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' });
const languages = question('Which languages?', ['Go', 'Rust', 'Zig'], { header: 'Languages', multiSelect: true });

const card = (stage: Stage, thread: string): ScreenMessage | undefined =>
  stage.discord.screen(stage.ana, thread).messages.find((message) => !message.ephemeral && message.author.isBot);

describe('a single-select card', () => {
  test('hangs in the thread of its session, a line in the channel leads to it, and a button answers', async () => {
    const stage = await openStage();
    const ref = await stage.post(batchOf(database));
    expect(ref).toMatchObject({ platform: 'discord', workspaceId: stage.discord.guild.id, channel: stage.channel });
    const [parent, pointer] = stage.discord.screen(stage.ana, stage.channel).messages;
    expect(parent?.thread?.id).toBe(ref.thread);
    expect(pointer?.id).toBe(ref.pointer);
    expect(pointer?.notification).toContain('[question] Database: Which database? in api (main)');
    expect(pointer?.controls[0]?.url).toContain(`/${ref.thread}/${ref.message}`);
    const result = await stage.discord.user(stage.ana).click({ channel: ref.thread, label: 'SQLite' }).settled;
    expect(result).toMatchObject({ kind: 'acked', type: 6 });
    const { requestId, decision, actor } = await stage.response();
    expect(requestId).toBe('request-1');
    expect(decision).toEqual({ kind: 'answers', sheet: [{ status: 'answered', labels: ['SQLite'] }] });
    expect(actor).toMatchObject({
      platform: 'discord',
      workspaceId: stage.discord.guild.id,
      userId: stage.ana,
      name: 'Ana',
      standing: 'member',
    });
  });

  test.each([
    ['Skip', { kind: 'answers', sheet: [{ status: 'skipped' }] }],
    ['Decide without us', { kind: 'declined' }],
  ])('%s decides at once', async (label, decision) => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(database));
    stage.discord.user(stage.ana).click({ channel: thread, label });
    expect((await stage.response()).decision).toEqual(decision);
  });

  test('Other… takes typed text', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(database));
    const ana = stage.discord.user(stage.ana);
    expect(await ana.click({ channel: thread, label: 'Other…' }).settled).toMatchObject({ kind: 'acked', type: 9 });
    ana.type({ label: 'Your answer' }, 'DuckDB & @everyone');
    expect(await ana.submit().settled).toMatchObject({ kind: 'acked', type: 6 });
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: [], other: 'DuckDB & @everyone' }],
    });
  });

  test('Note… opens the form, and the note goes with the choice', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(database));
    const ana = stage.discord.user(stage.ana);
    await ana.click({ channel: thread, label: 'Note…' }).settled;
    ana.select({ customId: 'q0.pick' }, 'Postgres');
    ana.type({ customId: 'q0.notes' }, 'version 16');
    await ana.submit().settled;
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: ['Postgres'], notes: 'version 16' }],
    });
  });

  test.each([
    ['200 characters', `${'long '.repeat(39)}one A`, `${'long '.repeat(39)}one B`],
    ['emoji and right-to-left text', '🚀 שלח לייצור', '🧪 بيئة الاختبار'],
    ['backticks, a mention and a link', '`rm` @everyone <@1>', '[Approve](https://evil.example)'],
    ['invisible characters', 'yes\u200B', 'yes'],
  ])('labels of %s come back exactly, and ping nobody', async (_, first, second) => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(question('Which?', [first, second])));
    const [, button] = card(stage, thread)?.controls ?? [];
    stage.discord.user(stage.ana).click({ channel: thread, customId: button?.customId ?? '' });
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: [second] }],
    });
    expect(stage.discord.mentions).toEqual([]);
  });

  test('of nine options, as history may bring them, is a select', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(question('Which?', ['1', '2', '3', '4', '5', '6', '7', '8', '9'])));
    await stage.discord.user(stage.ana).select({ channel: thread, label: 'Choose one' }, 'o8')?.settled;
    expect((await stage.response()).decision).toMatchObject({ sheet: [{ labels: ['9'] }] });
  });

  test('without options is a text box', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(question('What name?', [])));
    const ana = stage.discord.user(stage.ana);
    await ana.click({ channel: thread, label: 'Answer…' }).settled;
    ana.type({ label: 'Your answer' }, 'handraise');
    await ana.submit().settled;
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: [], other: 'handraise' }],
    });
  });
});

describe('a multi-select of its own', () => {
  test('is one form with boxes, Other and a note', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(languages));
    const ana = stage.discord.user(stage.ana);
    await ana.click({ channel: thread, label: 'Answer…' }).settled;
    ana.select({ customId: 'q0.pick' }, ['Go', 'Zig']);
    ana.type({ customId: 'q0.other' }, 'OCaml');
    await ana.submit().settled;
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: ['Go', 'Zig'], other: 'OCaml' }],
    });
  });

  test('tells in private what was wrong with a form, and gives back what was typed', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(languages));
    const ana = stage.discord.user(stage.ana);
    await ana.click({ channel: thread, label: 'Answer…' }).settled;
    ana.type({ customId: 'q0.notes' }, 'only a note');
    await ana.submit().settled;
    const told = await stage.discord.until(stage.ana, thread, (screen) =>
      screen.messages.find((message) => message.ephemeral),
    );
    expect(told.notification).toContain('A note goes with an answer');
    expect(told.notification).toContain('only a note');
    expect(stage.host.responses).toEqual([]);
  });
});

describe('a batch', () => {
  const steps = async (stage: Stage, thread: string, label: string | RegExp, user = stage.ana) => {
    const before = JSON.stringify(card(stage, thread)?.components);
    await stage.discord.user(user).click({ channel: thread, label }).settled;
    await stage.discord.until(user, thread, (screen) => {
      const shown = screen.messages.find((message) => !message.ephemeral && message.author.isBot);
      return JSON.stringify(shown?.components) !== before || screen.messages.some((message) => message.ephemeral);
    });
  };
  const redrawn = async (stage: Stage, thread: string, text: string) =>
    stage.discord.until(stage.ana, thread, (screen) =>
      screen.messages.find((message) => message.notification.includes(text)),
    );

  test('is answered step by step on the card, and only Send answers', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(database, languages));
    const ana = stage.discord.user(stage.ana);
    await steps(stage, thread, 'Answer…');
    await redrawn(stage, thread, 'Ana is answering 0/2');
    ana.select({ channel: thread, label: 'Choose one' }, 'SQLite');
    await redrawn(stage, thread, 'answering 1/2');
    await steps(stage, thread, 'Next');
    ana.select({ channel: thread, label: 'Choose any number' }, ['Go', 'Zig']);
    await redrawn(stage, thread, 'answering 2/2');
    await ana.click({ channel: thread, label: 'Other…' }).settled;
    ana.type({ label: 'Your answer' }, 'OCaml');
    await ana.submit().settled;
    await redrawn(stage, thread, 'OCaml');
    await ana.click({ channel: thread, label: 'Note…' }).settled;
    ana.type({ label: 'Note to the agent' }, 'latest versions');
    await ana.submit().settled;
    await redrawn(stage, thread, 'latest versions');
    expect(stage.host.responses).toEqual([]);
    await ana.click({ channel: thread, label: 'Send (2 of 2)' }).settled;
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [
        { status: 'answered', labels: ['SQLite'] },
        { status: 'answered', labels: ['Go', 'Zig'], other: 'OCaml', notes: 'latest versions' },
      ],
    });
  });

  test('belongs to whoever began, and keeps who answered what when somebody else goes on', async () => {
    const stage = await openStage();
    const { thread } = await stage.post(batchOf(database, languages));
    await steps(stage, thread, 'Answer…');
    stage.discord.user(stage.ana).select({ channel: thread, label: 'Choose one' }, 'SQLite');
    await redrawn(stage, thread, 'answering 1/2');
    await stage.discord.user(stage.ben).click({ channel: thread, label: 'Next' }).settled;
    const told = await stage.discord.until(stage.ben, thread, (screen) =>
      screen.messages.find((message) => message.ephemeral),
    );
    expect(told.notification).toMatch(/Ana is answering this just now; nothing was changed\. .* 1[12]\d s/);
    await stage.discord.clock.advance(121_000);
    await stage.discord.user(stage.ben).click({ channel: thread, label: 'Next' }).settled;
    await redrawn(stage, thread, 'Ben is answering 1/2');
    stage.discord.user(stage.ben).select({ channel: thread, label: 'Choose any number' }, ['Rust']);
    await redrawn(stage, thread, 'Ben is answering 2/2');
    await stage.discord.user(stage.ben).click({ channel: thread, label: /^Send/ }).settled;
    const { decision, actor } = await stage.response();
    expect(actor.name).toBe('Ben');
    expect(decision).toEqual({
      kind: 'answers',
      sheet: [
        { status: 'answered', labels: ['SQLite'], by: { userId: stage.ana, name: 'Ana' } },
        { status: 'answered', labels: ['Rust'] },
      ],
    });
  });
});
