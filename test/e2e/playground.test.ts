import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startPlayground, urlOf } from '../integration/playground/playground-process.ts';
import { openPage, WIDTHS } from './support/chromium.ts';

/** A card that settles waits for the agent's confirmation and one edit; on a busy machine that is seconds. */
const SOON = { timeout: 30_000 };

describe.each(Object.entries(WIDTHS))('the playground page, as wide as a %s', (_, width) => {
  it('answers by button, by form with several answers and an own one, and shows the cards settle', async () => {
    await using playground = startPlayground([]);
    await using browser = await openPage(await urlOf(playground), { width });
    const { page, problems } = browser;
    const channel = page.getByRole('log', { name: 'Messages' });

    await channel.getByRole('button', { name: 'In memory (Recommended)' }).waitFor(SOON);
    await fitsInWidth(page);
    await channel.getByRole('button', { name: 'In memory (Recommended)' }).click();
    await channel.getByText(/Answered.*by Ana/).waitFor(SOON);

    await channel.getByRole('button', { name: 'Answer…' }).click(SOON);
    const form = page.getByRole('dialog', { name: 'Answer' });
    await form.getByRole('checkbox', { name: 'Sign-up' }).check(SOON);
    await form.getByRole('checkbox', { name: 'Password reset' }).check();
    await form.getByRole('checkbox', { name: /^Other/ }).check();
    await form
      .getByRole('textbox', { name: /^Other/ })
      .first()
      .fill('The newsletter form, too');
    await form.getByRole('radio', { name: '403' }).check();
    await fitsInWidth(page);
    await form.getByRole('button', { name: 'Send' }).click();

    await form.waitFor({ state: 'hidden', ...SOON });
    await expect.poll(() => channel.getByText(/Answered.*by Ana/).count(), SOON).toBe(2);
    expect(await channel.locator('.button').count()).toBe(0);
    await channel.getByText('The newsletter form, too').waitFor();
    await fitsInWidth(page);

    await show(page, 'Agent’s terminal');
    const terminal = page.getByRole('log', { name: 'What the agent prints' });
    await terminal.getByText('Done. The rate limit is in place.').waitFor(SOON);
    await terminal.getByText('["Sign-up","Password reset","The newsletter form, too"]').waitFor();
    await page.getByRole('button', { name: 'Run the agent again' }).waitFor(SOON);
    await fitsInWidth(page);
    expect(problems).toEqual([]);
  });

  it('refuses a guest in private, and nobody else sees it', async () => {
    await using playground = startPlayground([]);
    await using browser = await openPage(await urlOf(playground), { width });
    const { page, problems } = browser;
    const channel = page.getByRole('log', { name: 'Messages' });
    const beSomebody = (name: RegExp) => page.getByRole('radio', { name }).check();

    await beSomebody(/Gus/);
    await channel.getByRole('button', { name: 'Redis' }).click(SOON);
    await channel.getByText('Only visible to you').waitFor(SOON);
    await channel.getByText('Guests may not answer').waitFor();
    await fitsInWidth(page);

    await beSomebody(/Ben/);
    await channel.getByRole('button', { name: 'Redis' }).waitFor(SOON);
    expect(await channel.getByText('Only visible to you').count()).toBe(0);
    expect(await channel.getByText('Answered').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows the same question on Discord, answers there, and settles both platforms’ cards', async () => {
    await using playground = startPlayground([]);
    await using browser = await openPage(await urlOf(playground), { width });
    const { page, problems } = browser;
    const slack = page.getByRole('log', { name: 'Messages' });
    const discord = page.getByRole('log', { name: 'Discord' });

    await show(page, 'Discord');
    await discord.getByRole('button', { name: 'Other…' }).click(SOON);
    const form = page.getByRole('dialog', { name: 'Other answer' });
    await form.getByRole('textbox').fill('A file, for now', SOON);
    await fitsInWidth(page);
    await form.getByRole('button', { name: 'Submit' }).click();
    await discord.getByText(/Answered.*by Ana/).waitFor(SOON);

    await discord.getByRole('button', { name: 'Answer…' }).click(SOON);
    await discord.getByRole('checkbox', { name: 'Sign-up' }).check(SOON);
    await discord.getByRole('checkbox', { name: 'Search' }).check();
    await fitsInWidth(page);
    await discord.getByRole('button', { name: 'Choose' }).click();
    await discord.getByRole('button', { name: 'Send (1 of 2)' }).waitFor(SOON);
    if ((await discord.getByRole('combobox').count()) === 0) {
      await discord.getByRole('button', { name: 'Next' }).click();
    }
    await discord
      .getByRole('combobox')
      .selectOption({ label: '403 · Says no, and nothing about when to come back.' }, SOON);
    await discord.getByRole('button', { name: 'Send (2 of 2)' }).click(SOON);

    await expect.poll(() => discord.getByText(/Answered.*by Ana/).count(), SOON).toBe(2);
    expect(await discord.locator('.dbutton').count()).toBe(0);
    await show(page, 'Slack');
    await expect.poll(() => slack.getByText(/Answered.*by Ana/).count(), SOON).toBe(2);
    expect(await slack.locator('.button').count()).toBe(0);
    await show(page, 'Agent’s terminal');
    const terminal = page.getByRole('log', { name: 'What the agent prints' });
    await terminal.getByText('["Sign-up","Search"]').waitFor(SOON);
    await terminal.getByText('A file, for now').first().waitFor();
    await fitsInWidth(page);
    expect(problems).toEqual([]);
  });

  it('opens the thread of a session, tells there what is private, and gives the focus back', async () => {
    await using playground = startPlayground([]);
    await using browser = await openPage(await urlOf(playground), { width });
    const { page, problems } = browser;

    await page.getByRole('button', { name: '1 reply' }).click(SOON);
    const thread = page.getByRole('log', { name: 'Thread' });
    await page.getByRole('radio', { name: /Gus/ }).check();
    await thread.getByRole('button', { name: 'Redis' }).click(SOON);
    await page.getByRole('alert').getByText('Only visible to you: Guests may not answer').waitFor(SOON);
    await fitsInWidth(page);
    await page.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'hidden' });
    expect(await page.locator(':focus').textContent()).toBe('1 reply');
    expect(problems).toEqual([]);
  });
});

describe('the playground page', () => {
  it('goes on where it was when it is loaded again: the form with all that was filled in', async () => {
    await using playground = startPlayground([]);
    await using browser = await openPage(await urlOf(playground));
    const { page, problems } = browser;
    await page.getByRole('log', { name: 'Messages' }).getByRole('button', { name: 'Other…' }).click(SOON);
    const box = page.getByRole('dialog').getByRole('textbox');
    const told = page.waitForResponse((response) => response.url().endsWith('/act'));
    await box.fill('SQLite <b>in</b> a file', SOON);
    await told;
    await page.reload();
    await expect.poll(() => box.inputValue(), SOON).toBe('SQLite <b>in</b> a file');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden', ...SOON });
    expect(problems).toEqual([]);
  });

  it('says so when the playground has stopped, and runs the agent again when asked', async () => {
    await using playground = startPlayground([]);
    await using browser = await openPage(await urlOf(playground));
    const { page } = browser;
    const channel = page.getByRole('log', { name: 'Messages' });
    await channel.getByRole('button', { name: 'Decide without us' }).click(SOON);
    await channel.getByText('Left to the agent').waitFor(SOON);
    await channel.getByRole('button', { name: 'Decide without us' }).click(SOON);
    await page.getByRole('button', { name: 'Run the agent again' }).click(SOON);
    await expect.poll(() => page.getByRole('button', { name: /^\d repl(y|ies)$/ }).count(), SOON).toBe(2);
    playground.signal('SIGINT');
    await page.getByText('The playground has stopped').waitFor(SOON);
    expect((await playground.ended).exitCode).toBe(0);
  });
});

/** On a phone the panes are behind tabs. */
async function show(page: Page, tab: string): Promise<void> {
  const button = page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: tab });
  if (await button.isVisible()) await button.click();
}

/** Nothing reaches beyond the window, and on a phone whatever is pressed is large enough for a thumb. */
async function fitsInWidth(page: Page): Promise<void> {
  expect(await page.evaluate<string[]>(MISFITS)).toEqual([]);
}

/** Runs in the page; this project's types know no DOM. */
const MISFITS = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((node) => node.getClientRects().length);
  const box = (node) => node.getBoundingClientRect();
  const wide = shown('body *').filter((node) => box(node).right > innerWidth + 0.5);
  const pressed = innerWidth < 700 ? shown('.button, .dbutton, .chip, .icon, .tabs button, .choices label, .people label') : [];
  const small = pressed.filter((node) => box(node).height < 44);
  const scrolls = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
  return [...wide, ...small].map((node) => node.tagName + '.' + node.className).concat(scrolls).slice(0, 5);
})()`;
