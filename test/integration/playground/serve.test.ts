import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { descendantsOf, noneLeft } from '../../e2e/support/process-tree.ts';
import { startPlayground, urlOf, watchScreen } from './playground-process.ts';

const post = (url: string, body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

describe('playground', () => {
  it('ends with 0 on Ctrl-C, with the agent’s card settled first and nothing left behind', async () => {
    await using playground = startPlayground([]);
    const url = await urlOf(playground);
    expect((await fetch(url)).status).toBe(200);
    const screen = await watchScreen(url);
    await screen.shows(/Decide without us/);
    const started = await descendantsOf(playground.pid);
    playground.signal('SIGINT');
    await screen.shows(/Withdrawn.*the agent took the question back/);
    expect(await playground.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(playground.lines.at(-1)).toBe('Stopping …');
    await noneLeft(async () => (await descendantsOf(1)).filter(({ pid }) => started.some((one) => one.pid === pid)));
    expect(readdirSync(playground.desk.temporary)).toEqual([]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('runs beside another one', async () => {
    await using one = startPlayground([]);
    await using two = startPlayground([]);
    await Promise.all([one.line(/Waiting for somebody/), two.line(/Waiting for somebody/)]);
    expect(await urlOf(one)).not.toBe(await urlOf(two));
  });

  it('on a port that is taken ends with 69 and says what to do', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const { port } = taken.address() as AddressInfo;
      await using playground = startPlayground(['--port', String(port)]);
      const { exitCode, stderr } = await playground.ended;
      expect(exitCode).toBe(69);
      expect(stderr).toMatch(/EADDRINUSE.*\n {2}Leave --port out/);
      expect(readdirSync(playground.desk.temporary)).toEqual([]);
    } finally {
      taken.close();
    }
  });
});

describe('the page’s server', () => {
  it('takes nothing but what its own page sends', async () => {
    await using playground = startPlayground([]);
    const url = await urlOf(playground);
    const { people } = (await (await fetch(`${url}setup`)).json()) as { people: { id: string }[] };
    const user = people[0]?.id;

    const form = await post(`${url}act`, 'user=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(415);
    expect((await post(`${url}act`, '{'.repeat(100_000))).status).toBe(500);
    expect((await fetch(`${url}../package.json`)).status).toBe(404);
    expect((await fetch(`${url}events?user=U0`)).status).toBe(404);
    for (const act of [
      { user: 'U0', act: { on: 'slack', what: { do: 'submit' } } },
      { user, act: { on: 'slack', what: { do: 'dance' } } },
      { user, act: { on: 'slack', what: { do: 'submit' } } },
      { user, act: { on: 'discord', what: { do: 'submit' } } },
      { user, act: { on: 'elsewhere', what: { do: 'submit' } } },
    ]) {
      expect(await (await post(`${url}act`, act)).json()).toMatchObject({ kind: 'refused' });
    }
    const policy = (await fetch(url)).headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
  });
});
