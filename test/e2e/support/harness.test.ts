import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startCommand } from './command-line.ts';
import { withFileLock } from './file-lock.ts';
import { descendantsOf, noneLeft, processesWith } from './process-tree.ts';
import { createWorkplace } from './workplace.ts';

/** Starts a detached grandchild that outlives its parent, prints its pid and ends. */
const ORPHAN = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  child.unref();
  console.log(JSON.stringify({ pid: child.pid }));
`;

describe('a workplace', () => {
  it('gives a command its own environment and nothing of the test runner', async () => {
    await using workplace = await createWorkplace();
    const run = startCommand(['node', '-p', 'JSON.stringify(process.env)'], { workplace, environment: { EXTRA: '1' } });
    expect(JSON.parse((await run.exit).stdout)).toEqual({ ...workplace.environment, EXTRA: '1' });
  });

  it('is a git repository on a branch', async () => {
    await using workplace = await createWorkplace();
    const run = startCommand(['git', 'status', '--short', '--branch'], { workplace });
    expect(await run.exit).toMatchObject({ code: 0, stdout: '## feature/greeting\n' });
  });

  it('finds an orphan by its home, names it, and kills it on disposal', async () => {
    const workplace = await createWorkplace();
    const mine = () => processesWith('HOME', workplace.home);
    const run = startCommand(['node', '-e', ORPHAN], { workplace });
    const { pid } = JSON.parse((await run.exit).stdout);
    expect(await mine()).toMatchObject([{ pid }]);
    await expect(noneLeft(mine, 50)).rejects.toThrow(`${pid} ${process.execPath} -e setInterval`);
    await workplace[Symbol.asyncDispose]();
    expect(await mine()).toEqual([]);
    expect(existsSync(dirname(workplace.home))).toBe(false);
  });
});

describe('a command', () => {
  it('reports its exit code, both outputs and its stream-json lines', async () => {
    await using workplace = await createWorkplace();
    const script = `console.log('plain'); console.log('{"type":"x"}'); console.error('oops'); process.exitCode = 3`;
    const run = startCommand(['node', '-e', script], { workplace });
    expect(await run.exit).toEqual({ code: 3, signal: null, stdout: 'plain\n{"type":"x"}\n', stderr: 'oops\n' });
    expect(run.events.items).toEqual([{ type: 'other', event: { type: 'x' } }]);
    await expect(run.events.until((event) => event.type === 'result')).rejects.toThrow('node ended with 3');
  });

  it('reports the signal that ended it', async () => {
    await using workplace = await createWorkplace();
    const run = startCommand(['sleep', '60'], { workplace });
    run.signal('SIGTERM');
    expect(await run.exit).toMatchObject({ code: null, signal: 'SIGTERM' });
  });

  it('is killed with what shares its group when it lasts too long or is disposed of', async () => {
    await using workplace = await createWorkplace();
    const slow = startCommand(['sh', '-c', 'echo started; sleep 60 & wait'], { workplace, within: 500 });
    await expect(slow.exit).rejects.toThrow('sh still ran after 500 ms\nstdout: started');
    const run = startCommand(['sh', '-c', 'sleep 61 & echo \'{"type":"ready"}\'; wait'], { workplace });
    await run.events.until((event) => event.type === 'other');
    expect(await descendantsOf(run.pid)).toMatchObject([{ command: 'sleep 61' }]);
    await run[Symbol.asyncDispose]();
    await noneLeft(() => processesWith('HOME', workplace.home));
  });

  it('that does not exist is an error which names PATH', async () => {
    await using workplace = await createWorkplace();
    expect(() => startCommand(['no-such-command'], { workplace })).toThrow('cannot start no-such-command: is it in');
  });
});

describe('a file lock', () => {
  const withFolder = async (test: (path: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'handraise-lock-'));
    try {
      await test(join(folder, 'lock'));
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  it('lets one holder in at a time', () =>
    withFolder(async (path) => {
      let inside = 0;
      const work = async () => {
        const most = ++inside;
        await delay(20);
        inside--;
        return most;
      };
      const holders = Array.from({ length: 5 }, () => withFileLock(path, 10_000, work));
      expect(await Promise.all(holders)).toEqual([1, 1, 1, 1, 1]);
    }));

  it('is free again after a holder that failed', () =>
    withFolder(async (path) => {
      await expect(withFileLock(path, 1_000, () => Promise.reject(new Error('npm broke')))).rejects.toThrow(
        'npm broke',
      );
      expect(await withFileLock(path, 1_000, async () => 'mine')).toBe('mine');
    }));

  it('says so when it is not free in time', () =>
    withFolder((path) =>
      withFileLock(path, 1_000, () =>
        expect(withFileLock(path, 100, async () => 'never')).rejects.toThrow(`${path} is still locked after 100 ms`),
      ),
    ));
});
