import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { descendantsOf, noneLeft } from '../../e2e/support/process-tree.ts';
import { createDesk, HANDRAISE } from '../../support/handraise.ts';
import { startPlayground } from './playground-process.ts';

describe('playground --auto', () => {
  it('asks, answers, and shows what the agent received and what the cards say (promise: playground)', async () => {
    await using playground = startPlayground(['--auto']);
    const { exitCode, stderr } = await playground.ended;
    const transcript = playground.lines.join('\n');
    expect({ exitCode, stderr, transcript }).toMatchObject({ exitCode: 0, stderr: '' });
    expect(transcript).toMatch(/agent │ +\{"answers":\{"Where should the counters[^"]+":"In memory \(Recommended\)"\}/);
    expect(transcript).toContain('["Sign-up","Log-in","The newsletter form, too"]');
    expect(transcript).toContain(':"429 with Retry-After (Recommended)"}');
    expect(transcript).toContain('agent │ Done.');
    expect(transcript).toContain('discord │ Ana taps "In memory (Recommended)"');
    expect(transcript).toContain('slack │ Ana sends the form');
    for (const platform of ['slack', 'discord']) {
      expect(transcript.match(new RegExp(`${platform} │ .*✅ Answered · by Ana`, 'g'))).toHaveLength(2);
    }
    expect(transcript).not.toContain('← button');
  }, 90_000);

  it('reads nothing of the user’s and leaves nothing behind', async () => {
    await using playground = startPlayground(['--auto'], {
      HANDRAISE_CONFIG: '/nowhere/handraise.yaml',
      HANDRAISE_UNKNOWN: 'refused by every other command',
      SLACK_BOT_TOKEN: 'not a token',
      HTTP_PROXY: 'http://127.0.0.1:9',
      NODE_OPTIONS: '--no-warnings',
    });
    const { home, work, temporary } = playground.desk;
    mkdirSync(join(home, '.config/handraise'), { recursive: true });
    writeFileSync(join(home, '.config/handraise/handraise.yaml'), 'unknown: key\n');
    expect(await playground.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(readdirSync(home)).toEqual(['.config']);
    expect([readdirSync(work), readdirSync(temporary)]).toEqual([[], []]);
  }, 90_000);

  it('that is stopped half way fails with the reason, its agent and its files gone', async () => {
    await using playground = startPlayground(['--auto']);
    await playground.line(/Reading package\.json/);
    const started = await descendantsOf(playground.pid);
    expect(started.length).toBeGreaterThan(0);
    playground.signal('SIGTERM');
    const { exitCode, stderr } = await playground.ended;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'handraise: the playground failed: it was stopped',
    });
    await noneLeft(async () => {
      const now = await descendantsOf(1);
      return now.filter(({ pid }) => started.some((one) => one.pid === pid));
    });
    expect(readdirSync(playground.desk.temporary)).toEqual([]);
  }, 60_000);
});

describe('an installation without the doubles', () => {
  it('says that the playground is not part of it', async () => {
    const desk = createDesk();
    try {
      const from = dirname(HANDRAISE);
      for (const part of ['handraise.mjs', 'package.json', 'dist/src', 'dist/adapters']) {
        cpSync(join(from, part), join(desk.work, part), { recursive: true });
      }
      symlinkSync(join(from, 'node_modules'), join(desk.work, 'node_modules'));
      const { exitCode, stderr } = await execa(process.execPath, [join(desk.work, 'handraise.mjs'), 'playground'], {
        env: desk.env,
        extendEnv: false,
        reject: false,
      });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 69,
        stderr:
          'handraise: The playground is not part of this installation.\n' +
          '  Clone the repository, then run `npm ci && npm start` in it.',
      });
    } finally {
      desk.remove();
    }
  });
});
