import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDesk, type Desk } from '../../support/handraise.ts';
import { buildFixture, type RunningProcess, startNode } from '../../support/typescript-process.ts';

let desk: Desk;
let fixture: Awaited<ReturnType<typeof buildFixture>>;
/** Who keeps the grants is another process: what runs beneath it would be taken for an agent's. */
let host: RunningProcess;
beforeAll(async () => {
  desk = createDesk();
  fixture = await buildFixture(fileURLToPath(new URL('../../fixtures/gate/grants-host.ts', import.meta.url)));
  host = startNode(fixture.file, []);
});
afterAll(async () => {
  host.child.kill('SIGKILL');
  await host.finished;
  fixture.remove();
  desk.remove();
});

async function command(args: readonly string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await desk.start(['grants', ...args, '--socket', await host.firstLine], { env });
  return { exitCode, stdout: Buffer.from(stdout).toString(), stderr: Buffer.from(stderr).toString() };
}

it('handraise grants lists what is allowed and takes it back, and is refused beneath an agent', async () => {
  const listed = await command([]);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  for (const part of ['r1\n', 'every write inside the workspace', 'for the turn', 'by Ana', '⟨U+001B⟩[31mapi'])
    expect(listed.stdout).toContain(part);

  const inAgent = { HANDRAISE_SOCK: '/nowhere' };
  expect(await command([], inAgent)).toMatchObject({ exitCode: 77, stdout: '' });
  expect(await command(['revoke', 'r1'], inAgent)).toMatchObject({ exitCode: 77, stdout: '' });
  expect(JSON.parse((await command(['--json'])).stdout).grants).toHaveLength(1);

  const revoked = await command(['revoke', 'r1', '--json']);
  expect(revoked).toMatchObject({ exitCode: 0, stderr: '' });
  expect(JSON.parse(revoked.stdout)).toMatchObject({ code: 'revoked', requestId: 'r1' });
  expect(await command(['revoke', 'r2'])).toMatchObject({
    exitCode: 3,
    stdout: '',
    stderr: expect.stringContaining('handraise: not_found: '),
  });
  expect((await command(['--json'])).stdout).toBe('{"grants":[]}\n');
}, 90_000);
