import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHandraise } from '../../../src/library/index.ts';
import type { Handraise } from '../../../src/library/types.ts';
import { type GatewayStage, openGatewayStage } from '../../support/gateway-stage.ts';
import { KEYS } from '../../support/redis-store.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };

/** A program with the library in it, without tokens; the gateway is a process of its own. */
describe('the library over Redis', () => {
  let stage: GatewayStage;
  let workspace: string;
  let handraise: Handraise;
  beforeEach(async () => {
    stage = await openGatewayStage();
    await stage.gateway();
    workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hr-library-')));
    handraise = await openHandraise({ env: { ...stage.desk.env, ...stage.ownerEnv }, workspace });
  });
  afterEach(async () => {
    await handraise.close();
    await stage.close();
    rmSync(workspace, { recursive: true, force: true });
  });

  const write = (name: string) => ({ tool: 'Write', input: { file_path: join(workspace, name), content: 'one\n' } });
  const click = async (text: string, action: string) => {
    await stage.seen(text, 30_000);
    const person = stage.slack.user(stage.ana);
    const click = person.click({ channel: stage.channel, message: new RegExp(text), action });
    expect((await click.settled).kind).toBe('acked');
  };

  it('has a question answered', async () => {
    const asked = handraise.ask({ question: 'Which database?', options: ['Postgres', 'SQLite'] });
    await stage.seen('Which database?', 30_000);
    await stage.click(/Which database/, 'SQLite').settled;
    expect(await asked).toMatchObject({ outcome: 'answered', answers: { 'Which database?': 'SQLite' } });
    await stage.seen('Answered', 30_000);
  });

  it('lets steps run by a click, and by the grant that came of it until its turn ends', async () => {
    const facts = { cwd: workspace, turnId: 'turn-1' };
    const first = handraise.gate.check(write('a.txt'), facts);
    await click('a.txt', 'handraise.gturn');
    expect(await first).toEqual({ behavior: 'allow', input: write('a.txt').input });
    expect(await handraise.gate.check(write('b.txt'), facts)).toMatchObject({ behavior: 'allow' });
    await handraise.gate.turnEnded('turn-1');
    const again = handraise.gate.check(write('c.txt'), { ...facts, turnId: 'turn-2' });
    await click('c.txt', 'handraise.deny');
    expect(await again).toMatchObject({ behavior: 'deny', kind: 'denied' });
  });

  it('withdraws what is open when it is closed, and leaves nothing in Redis to do', async () => {
    const checking = handraise.gate.check(write('a.txt'), { cwd: workspace });
    await stage.seen('a.txt', 30_000);
    await handraise.close();
    expect(await checking).toMatchObject({ behavior: 'deny' });
    await stage.seen('Withdrawn', 30_000);
    await expect.poll(() => stage.redis.client.zcard(KEYS.unfinished), PATIENCE).toBe(0);
  });
});
