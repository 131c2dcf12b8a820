import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WHERE } from '../doubles/playground/agent/questions.ts';
import { startPlayground, urlOf } from '../integration/playground/playground-process.ts';
import { openPage, WIDTHS } from './support/chromium.ts';
import { openPictureStage } from './support/picture-stage.ts';

/**
 * The pictures of the documentation. `npm run pictures` (PICTURES_TO=docs/images) keeps them; otherwise they are drawn,
 * looked at as far as a program can, and thrown away.
 */
const SOON = { timeout: 30_000 };
const LARGEST_BYTES = 100_000;

let folder: string;
beforeAll(() => {
  folder = process.env['PICTURES_TO'] ?? mkdtempSync(join(tmpdir(), 'hr-pictures-'));
});
afterAll(() => {
  if (process.env['PICTURES_TO'] === undefined) rmSync(folder, { recursive: true, force: true });
});

describe('a card as wide as a phone', () => {
  it('shows a question, its answer, and that nobody answered, on both platforms', async () => {
    await using stage = await openPictureStage();
    await using browser = await openPage(stage.url, { width: WIDTHS.phone, scale: 2 });
    const { page, problems } = browser;
    await page.setViewportSize(TALL);

    const answered = stage.ask(WHERE);
    await picture(page, 'Slack', /In memory \(Recommended\)/, 'slack-question');
    await picture(page, 'Discord', /In memory \(Recommended\)/, 'discord-question');
    await log(page, 'Discord').getByRole('button', { name: 'Redis' }).click();
    expect(await answered).toBe('answered');
    await picture(page, 'Slack', /Answered.*by Ana/, 'slack-answered');
    await picture(page, 'Discord', /Answered.*by Ana/, 'discord-answered');

    const late = stage.ask({
      questions: [{ ...WHERE.questions[0], question: 'Where should they live after a restart?' }],
    });
    await show(page, 'Slack');
    await log(page, 'Slack').getByText('after a restart?').waitFor(SOON);
    await show(page, 'Discord');
    await log(page, 'Discord').getByText('after a restart?').waitFor(SOON);
    await stage.later(300_000);
    expect(await late).toBe('timed_out');
    await picture(page, 'Slack', /Timed out/, 'slack-timed-out');
    await picture(page, 'Discord', /Timed out/, 'discord-timed-out');
    expect(problems).toEqual([]);
  });
});

it('the playground shows the same question on both platforms beside the agent', async () => {
  await using playground = startPlayground([]);
  await using browser = await openPage(await urlOf(playground), { width: WIDTHS.desktop });
  const { page, problems } = browser;
  await log(page, 'Slack').getByRole('button', { name: 'Redis' }).click(SOON);
  for (const platform of ['Slack', 'Discord'] as const) {
    await log(page, platform)
      .getByText(/Answered.*by Ana/)
      .waitFor(SOON);
    await log(page, platform).getByRole('button', { name: 'Answer…' }).waitFor(SOON);
  }
  await page.evaluate(`(${RENAME})('${userInfo().username}@${hostname()}', 'ana@laptop')`);
  await keep(await page.screenshot(), 'playground');
  expect(problems).toEqual([]);
});

/** Runs in the page; this project's types know no DOM. No picture names the machine it was made on. */
const RENAME = `(here, there) => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(here, there);
}`;

const LOGS = { Slack: 'Messages', Discord: 'Discord' } as const;
type PlatformName = keyof typeof LOGS;

function log(page: Page, platform: PlatformName): Locator {
  return page.getByRole('log', { name: LOGS[platform] });
}

/** On a phone the panes are behind tabs. */
async function show(page: Page, platform: PlatformName): Promise<void> {
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: platform }).click();
}

/** Tall enough for every card: what is beyond the window is not in a picture. */
const TALL = { width: WIDTHS.phone, height: 1_600 };

/** Of the newest message that says so, once it is there. */
async function picture(page: Page, platform: PlatformName, says: RegExp, name: string): Promise<void> {
  await show(page, platform);
  const card = log(page, platform).getByRole('article').filter({ hasText: says }).last();
  await card.waitFor(SOON);
  const box = await card.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? Number.NaN)).toBeLessThanOrEqual(WIDTHS.phone);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(TALL.height);
  await keep(await card.screenshot(), name);
}

/** With fewer colours where pngquant is installed; it need not be. */
async function keep(png: Buffer, name: string): Promise<void> {
  const file = join(folder, `${name}.png`);
  writeFileSync(file, png);
  const { error, status } = spawnSync('pngquant', ['--force', '--output', file, '--strip', '64', file]);
  if (error === undefined) expect(status).toBe(0);
  expect(readFileSync(file).subarray(1, 4).toString()).toBe('PNG');
  if (error === undefined) expect(statSync(file).size).toBeLessThan(LARGEST_BYTES);
}
