import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openPage, WIDTHS } from './chromium.ts';
import { noneLeft, processesWith } from './process-tree.ts';

describe('Chromium', () => {
  it.each(Object.entries(WIDTHS))('draws a local page as wide as a %s and reports no problem', async (_, width) => {
    await using site = await serve('<button onclick="this.textContent = innerWidth">width</button>');
    await using browser = await openPage(site.url, { width });
    await browser.page.getByRole('button', { name: 'width' }).click();
    await browser.page.getByRole('button', { name: String(width) }).waitFor();
    expect(browser.problems).toEqual([]);
  });

  it('collects console errors, missing resources and uncaught exceptions', async () => {
    await using site = await serve(
      '<script>console.error("broken"); setTimeout(() => { throw new Error("thrown") })</script><img src="/missing">',
    );
    await using browser = await openPage(site.url);
    await expect
      .poll(() => browser.problems.toSorted())
      .toEqual([
        expect.stringContaining('console: Failed to load resource'),
        expect.stringContaining('console: broken'),
        'exception: thrown',
      ]);
  });

  it('leaves no process and no profile behind', async () => {
    await using site = await serve('hello');
    const browser = await openPage(site.url);
    const mine = () => processesWith('HOME', browser.profile);
    expect(await mine()).not.toEqual([]);
    await browser[Symbol.asyncDispose]();
    await noneLeft(mine);
    expect(existsSync(browser.profile)).toBe(false);
  });

  it('that is missing is an error which says what to install', async () => {
    await expect(openPage('about:blank', { executablePath: '/no/chromium' })).rejects.toThrow(
      'apt-get install chromium',
    );
  });
});

async function serve(html: string) {
  const server = createServer((request, response) => {
    if (request.url !== '/') response.statusCode = 404;
    response.setHeader('content-type', 'text/html');
    // An icon of its own, for otherwise the browser asks for one.
    response.end(request.url === '/' ? `<!doctype html><link rel="icon" href="data:,">${html}` : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
