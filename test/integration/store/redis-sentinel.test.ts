import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { choose, claim, request } from '../../contracts/request-store/harness.ts';
import { freePort } from '../../support/free-port.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { openStore } from '../../support/redis-store.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Sentinel speaks TCP only. */
async function redisOn(port: number, ...args: string[]) {
  const server = await startRedisServer({
    args: ['--port', `${port}`, '--bind', '127.0.0.1', '--repl-diskless-sync-delay', '0', ...args],
  });
  undo.push(() => server.stop());
  return server;
}

async function sentinelFor(primary: number): Promise<number> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'hr-sentinel-'));
  const file = join(folder, 'sentinel.conf');
  writeFileSync(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${folder}`,
      `sentinel monitor primary 127.0.0.1 ${primary} 1`,
      'sentinel down-after-milliseconds primary 500',
      'sentinel failover-timeout primary 3000',
    ].join('\n'),
  );
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  undo.push(async () => {
    child.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  undo.push(() => client.disconnect());
  await expect
    .poll(async () => String(await client.call('SENTINEL', 'replicas', 'primary')), { timeout: 20_000, interval: 100 })
    .toContain('slave');
  return port;
}

describe('behind Sentinel', () => {
  it('a store follows the failover: what was claimed stays claimed, and the next click is taken', async () => {
    const [first, second] = [await freePort(), await freePort()];
    const primary = await redisOn(first);
    await redisOn(second, '--replicaof', '127.0.0.1', `${first}`);
    const sentinel = await sentinelFor(first);
    const { store } = await openStore(`redis-sentinel://127.0.0.1:${sentinel}/primary`);
    undo.push(() => store.stop());
    const woken: string[] = [];
    await store.watchOwner('owner-1', (id) => woken.push(id));
    await store.open(request('r1', { sessionId: 'a' }));
    await store.open(request('r2', { sessionId: 'b' }));
    const { record } = await store.claim('r1', claim(choose('SQLite')));
    // What a replica has not got yet is lost with its primary: that is Redis' own bargain.
    // WAIT speaks for its own connection only: with a write of its own, it speaks for all before that.
    const replicated = () => primary.client.set('mark', '1').then(() => primary.client.wait(1, 100));
    await expect.poll(replicated, { timeout: 20_000 }).toBe(1);

    await primary.kill();
    const startedAt = performance.now();
    await expect
      .poll(() => store.claim('r2', claim()).then((result) => result.code, String), { timeout: 20_000 })
      .toBe('done');
    console.info(`Sentinel: claims again ${Math.round(performance.now() - startedAt)} ms after the primary was killed`);
    expect(await store.read('r1')).toEqual(record);
    woken.length = 0;
    await expect
      .poll(() => store.confirm('r2').then((result) => result.code, String), { timeout: 20_000 })
      .not.toBe('');
    await expect.poll(() => woken, { timeout: 20_000 }).toContain('r2');
  }, 60_000);
});
