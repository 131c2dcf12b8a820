import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';

export interface BrowserPage extends AsyncDisposable {
  page: Page;
  /** Console errors and uncaught exceptions of the page so far, each as one line. A passing test leaves it empty. */
  problems: string[];
  /** The browser's user data folder, and the HOME of its processes. */
  profile: string;
}

/** CSS pixels: a desktop window and the narrowest phone that is promised to work. */
export const WIDTHS = { desktop: 1280, phone: 375 } as const;

const HEIGHT = 800;

/** No sandbox because containers run tests as root; the rest keeps the browser off the network and the GPU. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * `url` in a browser of its own, with an empty profile. Disposal ends the browser and removes the profile.
 * `executablePath` is Debian's Chromium by default; Playwright's own downloads are never used. `scale`: device pixels to a CSS
 * pixel, default 1.
 */
export async function openPage(
  url: string,
  {
    width = WIDTHS.desktop,
    executablePath = '/usr/bin/chromium',
    scale = 1,
  }: { width?: number; executablePath?: string; scale?: number } = {},
): Promise<BrowserPage> {
  if (!existsSync(executablePath)) {
    throw new Error(`the browser tests need ${executablePath}: install it with "apt-get install chromium"`);
  }
  const profile = await mkdtemp(join(tmpdir(), 'handraise-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    env: { HOME: profile, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    viewport: { width, height: HEIGHT },
    deviceScaleFactor: scale,
    timeout: 30_000,
  });
  const dispose = async (): Promise<void> => {
    await context.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
    page.on('crash', () => problems.push('the page crashed'));
    await page.goto(url);
    return { page, problems, profile, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
