import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../support/handraise.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { KEYS } from '../../support/redis-store.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

let desk: Desk;
beforeEach(async () => {
  await server.client.flushall();
  desk = createDesk();
  const script = join(desk.work, 'script.json');
  writeFileSync(script, JSON.stringify([{ grant: 'action' }]));
  expect((await handraise('propose', '--script', script, '--', 'touch', 'a')).exitCode).toBe(0);
});
afterEach(() => desk.remove());

describe('audit verify', () => {
  it('ends with 0 for a record that is whole, and with 1 once one character of it was changed', async () => {
    const whole = await handraise('audit', 'verify', '--json');
    expect([whole.exitCode, whole.stderr]).toEqual([0, '']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ isWhole: true, files: 1, problems: [], notes: [] });
    const text = readFileSync(path(), 'utf8');
    writeFileSync(path(), text.replace('"event":"opened"', '"event":"openes"'));
    const changed = await handraise('audit', 'verify');
    expect([changed.exitCode, changed.stderr]).toEqual([1, '']);
    expect(changed.stdout).toMatch(
      /problem changed: row 1 does not follow .*\nThe record is not whole: 1 problem\.\n$/s,
    );
  });

  it('says how many rows in Redis nobody has sealed yet, and asks no Redis when told not to', async () => {
    await server.client.xadd(KEYS.audit, '*', 'row', '{}', 'row', '{}');
    const env = { HANDRAISE_REDIS_URL: server.url };
    const asked = await handraise('audit', 'verify', { env });
    expect(asked.stdout).toContain('note unsealed: 2 rows in Redis');
    expect((await handraise('audit', 'verify', '--offline', { env })).stdout).not.toContain('unsealed');
    const gone = { HANDRAISE_REDIS_URL: 'redis://127.0.0.1:1' };
    expect((await handraise('audit', 'verify', { env: gone })).exitCode).toBe(69);
  });

  it('refuses a folder that is not there, and what is no public key', async () => {
    expect(await handraise('audit', 'verify', '--dir', '/nowhere')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('/nowhere'),
    });
    expect((await handraise('audit', 'verify', '--key', 'x')).exitCode).toBe(78);
  });
});

describe('audit export', () => {
  it('prints every row as a line of JSON, or as CSV with a head', async () => {
    const { stdout, exitCode } = await handraise('audit', 'export');
    expect(exitCode).toBe(0);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ event, n }) => [event, n])).toEqual([
      ['opened', 1],
      ['policy_set', 2],
      ['closed', 3],
    ]);
    const csv = (await handraise('audit', 'export', '--format', 'csv')).stdout.trimEnd().split('\n');
    expect(csv).toHaveLength(4);
    expect(csv[0]).toMatch(/^ts,event,requestId,/);
    expect(csv[2]).toContain(',policy_set,');
  });

  it('filters by time, session and request', async () => {
    const audit = join(desk.state, 'audit');
    const row = (ts: string, sessionId: string, requestId: string) =>
      JSON.stringify({ v: 1, ts: `${ts}T10:00:00.000Z`, event: 'asked', requestId, sessionId });
    writeFileSync(
      join(audit, 'old.jsonl'),
      `${[row('2026-08-01', 's1', '=r1'), row('2026-08-02', 's1', 'r2'), row('2026-08-03', 's2', 'r3')].join('\n')}\n`,
    );
    const ids = async (...flags: string[]) => {
      const { stdout } = await handraise('audit', 'export', ...flags);
      return stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).requestId);
    };
    expect(await ids('--since', '2026-08-02', '--until', '2026-08-03')).toEqual(['r2']);
    expect(await ids('--session', 's1')).toEqual(['=r1', 'r2']);
    expect(await ids('--request', 'r3')).toEqual(['r3']);
    // A spreadsheet calculates nothing of what somebody called a request.
    expect((await handraise('audit', 'export', '--request', '=r1', '--format', 'csv')).stdout).toContain(
      ",asked,'=r1,",
    );
    expect((await handraise('audit', 'export', '--since', 'yesterday')).exitCode).toBe(64);
  });

  it('says on stderr, and with 1, that the record is not whole', async () => {
    const lines = readFileSync(path(), 'utf8').split('\n');
    writeFileSync(path(), lines.toSpliced(1, 1).join('\n'));
    const { stdout, stderr, exitCode } = await handraise('audit', 'export');
    expect([exitCode, stdout.split('\n')]).toEqual([1, expect.objectContaining({ length: 3 })]);
    expect(stderr).toContain('not whole');
  });
});

function path(): string {
  const folder = join(desk.state, 'audit');
  return join(folder, readdirSync(folder)[0] ?? '');
}

async function handraise(...args: (string | { env: Record<string, string> })[]) {
  const words = args.filter((arg) => typeof arg === 'string');
  const options = args.find((arg) => typeof arg === 'object') ?? {};
  const { stdout, stderr, exitCode } = await desk.start(words, options);
  return { stdout: Buffer.from(stdout).toString('utf8'), stderr: Buffer.from(stderr).toString('utf8'), exitCode };
}
