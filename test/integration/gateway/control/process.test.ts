import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dialControl } from '../../../../src/cli/control-client.ts';
import { liveSockets } from '../../../../src/gateway/control/place.ts';
import { choice, type GatewayStage, openGatewayStage } from '../../../support/gateway-stage.ts';
import { auditRowsIn } from '../../../support/redis-store.ts';

/** Each test starts several processes one after the other; a busy machine takes its time for each. */
vi.setConfig({ testTimeout: 90_000 });

let stage: GatewayStage;
afterEach(async () => {
  await stage?.close();
});

describe('the control socket of a gateway over Redis', () => {
  it('answers for an owner in another process; the card and the audit say who did', async () => {
    stage = await openGatewayStage();
    const gateway = await stage.gateway();
    const [path = ''] = await sockets();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const owner = await stage.owner('s1');
    const answer = owner.prompter.ask(choice('Which cache?', 'Redis', 'Memory'), { ...quietly(), pendingId: 'tool-1' });
    await stage.seen('Memory');
    const listed = await command('pending', '--json');
    const [{ requestId, pendingId }] = JSON.parse(listed.stdout).requests;
    expect(pendingId).toBe('tool-1');
    // It has to deliver while `resolve` waits for it.
    const delivering = answer.then(async (result) => {
      await result.delivered();
      return result.outcome;
    });
    const resolved = await command('resolve', requestId, '--pending-id', 'tool-1', '--option', 'Memory', '--json');
    expect(await delivering).toMatchObject({ kind: 'answered', sheet: [{ labels: ['Memory'] }] });
    expect(resolved).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(resolved.stdout)).toMatchObject({ code: 'resolved', sessionId: 's1', picks: ['q0.o1'] });
    await stage.seen('(command line)', 20_000);
    const again = await command('resolve', requestId, '--option', 'Redis', '--json');
    expect(again.exitCode).toBe(3);
    expect(JSON.parse(again.stdout)).toMatchObject({
      code: 'already_resolved',
      permissionCode: 'permission_already_resolved',
      sentence: expect.stringContaining('(command line)'),
    });
    const rows = (await auditRowsIn(stage.redis)).filter(({ interactionId }) => interactionId !== undefined);
    const common = { requestId, pendingId: 'tool-1', source: 'cli', actor: { kind: 'os_user', platform: 'local' } };
    expect(rows).toMatchObject([
      { ...common, event: 'claimed', picks: ['q0.o1'], outcome: 'answered' },
      { ...common, event: 'delivered' },
      { ...common, event: 'ended', outcome: 'answered' },
      { ...common, event: 'click_refused', picks: ['q0.o0'], reason: 'already_resolved' },
    ]);
    gateway.kill('SIGTERM');
    await gateway.done;
    expect(readdirSync(join(stage.desk.state, 'control'))).toEqual([]);
  });

  it('lets one win of two command lines and a click in Slack at the same moment', async () => {
    stage = await openGatewayStage({ rateLimits: false });
    await Promise.all([stage.gateway(), stage.gateway()]);
    const owner = await stage.owner('s1');
    const paths = await sockets();
    expect(paths).toHaveLength(2);
    const clients = await Promise.all(paths.map((path) => dialControl(path, undefined)));
    const labels = ['A', 'B', 'C'] as const;
    for (let round = 0; round < 6; round += 1) {
      const question = `Round ${round}?`;
      const answer = owner.prompter.ask(choice(question, ...labels), quietly());
      await stage.seen(question);
      const { requests } = (await clients[0]?.pending()) ?? { requests: [] };
      const requestId = requests[0]?.requestId ?? '';
      const delivering = answer.then(async (result) => {
        await result.delivered();
        return result.outcome;
      });
      const [resolutions] = await Promise.all([
        Promise.all(
          clients.map((client, at) => client.resolve({ requestId, choice: { options: [labels[at] ?? ''] } })),
        ),
        stage.click(new RegExp(`Round ${round}`), 'C').settled,
      ]);
      const outcome = await delivering;
      const rows = (await auditRowsIn(stage.redis)).filter((row) => row.requestId === requestId);
      const claims = rows.filter(({ event }) => event === 'claimed');
      expect(claims).toHaveLength(1);
      expect(rows.filter(({ event }) => event === 'delivered')).toHaveLength(1);
      // Two of three lost, and each is in the audit.
      await expect.poll(async () => (await refusalsOf(requestId)).length, { timeout: 20_000 }).toBe(2);
      const winner = ['q0.o0', 'q0.o1', 'q0.o2'].indexOf(claims[0]?.picks?.[0] ?? '');
      expect(outcome).toMatchObject({ kind: 'answered', sheet: [{ labels: [labels[winner]] }] });
      expect(resolutions.map(({ code }) => code === 'resolved')).toEqual([winner === 0, winner === 1]);
      for (const { code } of resolutions) {
        expect(['resolved', 'already_resolved', 'resolution_in_progress']).toContain(code);
      }
    }
    for (const client of clients) client.close();
  });

  it('is where the configuration says; without Redis nothing is recorded, and that is said', async () => {
    stage = await openGatewayStage();
    const path = join(stage.desk.home, 'own', 'control.sock');
    const gateway = await stage.gateway(undefined, { HANDRAISE_CONTROL_SOCKET: path });
    expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await sockets()).toEqual([]);
    expect(await command('pending')).toEqual({ exitCode: 69, stdout: '', stderr: expect.any(String) });
    expect(await command('pending', '--socket', path)).toEqual({
      exitCode: 0,
      stdout: 'Nothing waits for an answer.\n',
      stderr: '',
    });
    await stage.redis.kill();
    const away = await command('resolve', 'r1', '--skip', '--socket', path, '--json');
    expect(away.exitCode).toBe(69);
    expect(JSON.parse(away.stdout)).toMatchObject({ code: 'unavailable', permissionCode: null });
    await stage.redis.restart();
    gateway.kill('SIGKILL');
    await gateway.done;
    expect(existsSync(path)).toBe(true);
    const next = await stage.gateway(undefined, { HANDRAISE_CONTROL_SOCKET: path });
    expect((await command('pending', '--socket', path)).exitCode).toBe(0);
    next.kill('SIGTERM');
    await next.done;
    expect(existsSync(path)).toBe(false);
  });
});

async function refusalsOf(requestId: string) {
  const rows = await auditRowsIn(stage.redis);
  return rows.filter((row) => row.requestId === requestId && row.event === 'click_refused');
}

function sockets(): Promise<string[]> {
  return liveSockets(join(stage.desk.state, 'control'));
}

function quietly() {
  return { signal: new AbortController().signal };
}

/** A person on the gateway's host, as its user. */
async function command(...args: string[]) {
  const { exitCode, stdout, stderr } = await stage.desk.start(args, { withinMs: 60_000 });
  return { exitCode, stdout: String(Buffer.from(stdout)), stderr: String(Buffer.from(stderr)) };
}
