import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireTokenLock, nameOfToken } from '../../../src/gateway/token-lock.ts';

const HOLDER = fileURLToPath(new URL('../../fixtures/processes/hold-token.mjs', import.meta.url));
const undo: (() => void)[] = [];

afterEach(() => {
  for (const step of undo.splice(0)) step();
});

/** Files work everywhere; abstract sockets are what Linux uses by itself. */
const kinds = [
  {
    kind: 'a file',
    place: () => {
      const directory = mkdtempSync(join(tmpdir(), 'hr-lock-'));
      undo.push(() => rmSync(directory, { recursive: true, force: true }));
      return directory;
    },
  },
  ...(process.platform === 'linux' ? [{ kind: 'an abstract socket', place: () => undefined }] : []),
];

describe.each(kinds)('the lock of a chat token, as $kind', ({ place }) => {
  it('is refused to a second process, which is told who has it and what to do', async () => {
    const [token, directory] = [randomUUID(), place()];
    const holder = await start(token, directory);
    expect(holder.said).toBe('held');
    const { said } = await start(token, directory);
    expect(JSON.parse(said)).toEqual({
      code: 'token_in_use',
      message: `Another handraise run on this host (process ${holder.child.pid}) uses the same Slack token.`,
      hint: expect.stringContaining('Wait until it ends'),
    });
  });

  it('is free again after its process was killed, and leaves nothing to clean up by hand', async () => {
    const [token, directory] = [randomUUID(), place()];
    const first = await start(token, directory);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    expect((await start(token, directory)).said).toBe('held');
    if (directory !== undefined) expect(readdirSync(directory)).toHaveLength(1);
  });

  it('is free again once it was given back, and its file is gone', async () => {
    const [token, directory] = [randomUUID(), place()];
    const lock = await acquireTokenLock(token, directory);
    await expect(acquireTokenLock(token, directory)).rejects.toMatchObject({ code: 'token_in_use' });
    await lock.release();
    await lock.release();
    if (directory !== undefined) expect(readdirSync(directory)).toEqual([]);
    const again = await acquireTokenLock(token, directory);
    await again.release();
  });

  it('does not stand between different tokens', async () => {
    const directory = place();
    const locks = [await acquireTokenLock(randomUUID(), directory), await acquireTokenLock(randomUUID(), directory)];
    for (const lock of locks) await lock.release();
  });

  it('has one winner among many that come at once, also over the remains of a killed one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [token, directory] = [randomUUID(), place()];
      const killed = await start(token, directory);
      killed.child.kill('SIGKILL');
      await once(killed.child, 'exit');
      const claims = await Promise.allSettled(Array.from({ length: 8 }, () => acquireTokenLock(token, directory)));
      const winners = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
      expect(winners).toHaveLength(1);
      for (const lock of winners) await lock.release();
    }
  });

  it('has one winner between two processes', async () => {
    const [token, directory] = [randomUUID(), place()];
    const said = await Promise.all([start(token, directory), start(token, directory), start(token, directory)]);
    expect(said.filter((one) => one.said === 'held')).toHaveLength(1);
  });
});

describe('the name of a token', () => {
  it('is the beginning of its hash and not of itself', () => {
    expect(nameOfToken('a-token')).toMatch(/^[0-9a-f]{16}$/);
    expect(nameOfToken('a-token')).not.toBe(nameOfToken('b-token'));
  });
});

async function start(token: string, directory: string | undefined): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [HOLDER, token, ...(directory === undefined ? [] : [directory])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  undo.push(() => child.kill('SIGKILL'));
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, said };
}

describe.runIf(process.platform === 'linux')('the abstract address of the lock', () => {
  it('fills all of a socket address, since Node 20 pads a shorter one with NULs and Node 24 does not', async () => {
    const token = randomUUID();
    const lock = await acquireTokenLock(token);
    const [address] =
      new RegExp(`@handraise-token-${nameOfToken(token)}.*`).exec(readFileSync('/proc/net/unix', 'utf8')) ?? [];
    await lock.release();
    expect(address).toHaveLength(108);
    // The kernel lists each NUL as "@": the leading one is the only one.
    expect(address?.lastIndexOf('@')).toBe(0);
  });
});
