import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { descendantsOf, noneLeft } from '../../e2e/support/process-tree.ts';
import { startPlayground, urlOf, watchScreen } from './playground-process.ts';

describe('playground --redis', () => {
  it('--auto lets two agents ask through one gateway, and leaves nothing behind', async () => {
    await using playground = startPlayground(['--auto', '--redis']);
    const { exitCode, stderr } = await playground.ended;
    const transcript = playground.lines.join('\n');
    expect({ exitCode, stderr, transcript }).toMatchObject({ exitCode: 0, stderr: '' });
    for (const project of ['webshop ', 'intranet']) {
      expect(transcript).toMatch(new RegExp(`agent │ ${project} │ +\\{"answers":\\{"Where should the counters`));
      expect(transcript).toContain(`agent │ ${project} │ Done.`);
    }
    // Each of two questions on both platforms, the first answered on Discord, the second on Slack.
    for (const [name, project] of [
      ['Ana', 'webshop'],
      ['Ben', 'intranet'],
    ]) {
      expect(transcript).toContain(`discord │ ${name} taps "In memory (Recommended)" for ${project}`);
      for (const platform of ['slack', 'discord']) {
        expect(transcript.match(new RegExp(`${platform} │ .*✅ Answered · by ${name}`, 'g'))).toHaveLength(2);
      }
    }
    expect(transcript).toContain('Session of node main.js · intranet (rate-limits)');
    expect(transcript).not.toContain('← button');
    expect([readdirSync(playground.desk.home), readdirSync(playground.desk.temporary)]).toEqual([[], []]);
  }, 90_000);

  it('ends with 0 on Ctrl-C: cards withdrawn, gateway and Redis gone', async () => {
    await using playground = startPlayground(['--redis']);
    const screen = await watchScreen(await urlOf(playground));
    // In one piece: both cards are on the page at once.
    await screen.shows(/Decide without us.*Decide without us/);
    const started = await descendantsOf(playground.pid);
    playground.signal('SIGINT');
    await screen.shows(/Withdrawn.*Withdrawn/);
    expect(await playground.ended).toEqual({ exitCode: 0, stderr: '' });
    expect(playground.lines.at(-1)).toBe('Stopping …');
    await noneLeft(async () => (await descendantsOf(1)).filter(({ pid }) => started.some((one) => one.pid === pid)));
    expect(readdirSync(playground.desk.temporary)).toEqual([]);
  }, 90_000);

  it('says how to get a redis-server where there is none', async () => {
    await using playground = startPlayground(['--auto', '--redis'], { PATH: '/nowhere' });
    expect(await playground.ended).toEqual({
      exitCode: 69,
      stderr:
        'handraise: --redis starts a redis-server of its own, and none is installed.\n' +
        '  Debian, Ubuntu: apt-get install redis-server. macOS: brew install redis. Or leave --redis out.',
    });
    expect(readdirSync(playground.desk.temporary)).toEqual([]);
  }, 60_000);
});
