import { describe, expect, test } from 'vitest';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import type { ScreenMessage } from '../../../doubles/slack/index.ts';
import { batchOf, question } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const database = question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' });
const languages = question('Which languages?', ['Go', 'Rust', 'Zig'], { header: 'Languages', multiSelect: true });

const click = (stage: Stage, label: string) => stage.slack.user(stage.ana).click({ channel: stage.channel, label });
const modal = (stage: Stage) =>
  stage.slack.until(stage.ana, stage.channel, (screen) => screen.modals.find((one) => one.submit !== undefined));
const card = (stage: Stage): ScreenMessage | undefined =>
  stage.slack.screen(stage.ana, stage.channel).messages.find((message) => message.broadcast);

describe('a single-select card', () => {
  test('stands in the thread and in the channel, and a button answers with the exact label', async () => {
    const stage = await openStage();
    const ref = await stage.post(batchOf(database));
    expect(ref).toMatchObject({ platform: 'slack', workspaceId: stage.adapter.workspaceId, channel: stage.channel });
    expect(card(stage)).toMatchObject({ ts: ref.message, threadTs: ref.thread });
    expect(card(stage)?.notification).toBe('[question] Database: Which database? in api (main)');
    const result = await click(stage, 'SQLite').settled;
    expect(result).toMatchObject({ kind: 'acked', payload: {} });
    const { requestId, decision, actor } = await stage.response();
    expect(requestId).toBe('request-1');
    expect(decision).toEqual({ kind: 'answers', sheet: [{ status: 'answered', labels: ['SQLite'] }] });
    expect(actor).toMatchObject({ userId: stage.ana, name: 'ana', standing: 'member' });
  });

  test.each([
    ['Skip', { kind: 'answers', sheet: [{ status: 'skipped' }] }],
    ['Decide without us', { kind: 'declined' }],
  ])('%s decides at once', async (label, decision) => {
    const stage = await openStage();
    await stage.post(batchOf(database));
    click(stage, label);
    expect((await stage.response()).decision).toEqual(decision);
  });

  test('Other… takes typed text', async () => {
    const stage = await openStage();
    await stage.post(batchOf(database));
    click(stage, 'Other…');
    expect((await modal(stage)).title).toBe('Other answer');
    stage.slack.user(stage.ana).type({ label: 'Your answer' }, 'DuckDB & <!channel>');
    expect(await stage.slack.user(stage.ana).submit().settled).toMatchObject({ kind: 'acked', payload: {} });
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: [], other: 'DuckDB & <!channel>' }],
    });
    expect(stage.slack.screen(stage.ana, stage.channel).modals).toEqual([]);
  });

  test('Note… opens the form, and the note goes with the choice', async () => {
    const stage = await openStage();
    await stage.post(batchOf(database));
    click(stage, 'Note…');
    await modal(stage);
    const ana = stage.slack.user(stage.ana);
    ana.select({ block: 'q0.pick' }, 'Postgres');
    ana.type({ block: 'q0.notes' }, 'version 16');
    ana.submit();
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: ['Postgres'], notes: 'version 16' }],
    });
  });

  test.each([
    ['200 characters', `${'long '.repeat(39)}one A`, `${'long '.repeat(39)}one B`],
    ['emoji and right-to-left text', '🚀 שלח לייצור', '🧪 بيئة الاختبار'],
    ['backticks, a mention and a link', '`rm` <!channel> <@U1>', '<https://evil.example|Approve>'],
    ['entities', 'a & b', 'a &amp; b'],
    ['invisible characters', 'yes\u200B', 'yes'],
  ])('labels of %s come back exactly, and ping nobody', async (_, first, second) => {
    const stage = await openStage();
    await stage.post(batchOf(question('Which?', [first, second])));
    const [, button] = card(stage)?.controls ?? [];
    stage.slack.user(stage.ana).click({ channel: stage.channel, action: button?.actionId ?? '' });
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: [second] }],
    });
    expect(stage.slack.mentions).toEqual([]);
  });
});

describe('any other card', () => {
  const four: QuestionBatch = batchOf(
    ...['a', 'b', 'c', 'd'].map((letter, number) => ({
      ...question(`Question ${letter}?`, []),
      multiSelect: number % 2 === 1,
      options: ['w', 'x', 'y', 'z'].map((label) => ({
        label: `${label}${letter.repeat(199)}`,
        description: label.repeat(300),
      })),
    })),
  );

  test('of a choice and a multi-select is answered in one form', async () => {
    const stage = await openStage();
    await stage.post(batchOf(database, languages));
    click(stage, 'Answer…');
    await modal(stage);
    const ana = stage.slack.user(stage.ana);
    ana.select({ block: 'q0.pick' }, 'SQLite');
    ana.select({ block: 'q1.pick' }, ['Go', 'Zig']);
    ana.type({ block: 'q1.other' }, 'OCaml');
    ana.submit();
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [
        { status: 'answered', labels: ['SQLite'] },
        { status: 'answered', labels: ['Go', 'Zig'], other: 'OCaml' },
      ],
    });
  });

  test('of four questions with long options shows them whole, in the card and in the form', async () => {
    const stage = await openStage();
    await stage.post(four);
    const text = JSON.stringify(card(stage)?.blocks);
    for (const { options } of four.questions) for (const { label } of options) expect(text).toContain(label);
    click(stage, 'Answer…');
    const form = await modal(stage);
    for (const { options } of four.questions)
      for (const { label, description } of options)
        expect(JSON.stringify(form.blocks)).toContain(
          `"${label}","bold":true},{"kind":"text","text":": ${description}"`,
        );
    const ana = stage.slack.user(stage.ana);
    for (const index of [0, 1, 2, 3]) ana.select({ block: `q${index}.pick` }, `o${index}`);
    ana.submit();
    const labels = four.questions.map((asked, index) => asked.options[index]?.label);
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: labels.map((label) => ({ status: 'answered', labels: [label] })),
    });
  });

  test('without options is a text box', async () => {
    const stage = await openStage();
    await stage.post(batchOf(question('What name?', [])));
    click(stage, 'Answer…');
    await modal(stage);
    stage.slack.user(stage.ana).type({ label: 'Your answer' }, 'handraise');
    stage.slack.user(stage.ana).submit();
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'answered', labels: [], other: 'handraise' }],
    });
  });

  test('of nine options, as history may bring them, is a form, too', async () => {
    const stage = await openStage();
    await stage.post(batchOf(question('Which?', ['1', '2', '3', '4', '5', '6', '7', '8', '9'])));
    click(stage, 'Answer…');
    await modal(stage);
    stage.slack.user(stage.ana).select({ block: 'q0.pick' }, '9');
    stage.slack.user(stage.ana).submit();
    expect((await stage.response()).decision).toMatchObject({ sheet: [{ labels: ['9'] }] });
  });

  test('Skip skips every question', async () => {
    const stage = await openStage();
    await stage.post(batchOf(database, languages));
    click(stage, 'Skip');
    expect((await stage.response()).decision).toEqual({
      kind: 'answers',
      sheet: [{ status: 'skipped' }, { status: 'skipped' }],
    });
  });

  test('keeps its form open with a sentence at the field until it can be sent', async () => {
    const stage = await openStage();
    await stage.post(batchOf(database, languages));
    click(stage, 'Answer…');
    await modal(stage);
    const ana = stage.slack.user(stage.ana);
    await ana.submit().settled;
    const errors = () => stage.slack.screen(stage.ana, stage.channel).modals[0]?.errors;
    expect(errors()).toEqual({ 'q0.pick': expect.stringContaining('press Skip on the card') });
    ana.select({ block: 'q0.pick' }, 'Other, as written below');
    await ana.submit().settled;
    expect(errors()).toEqual({ 'q0.other': expect.stringContaining('write your answer here') });
    ana.type({ block: 'q0.other' }, 'DuckDB');
    await ana.submit().settled;
    expect((await stage.response()).decision).toMatchObject({ sheet: [{ other: 'DuckDB' }, { status: 'skipped' }] });
    expect(stage.host.responses).toHaveLength(1);
  });
});
