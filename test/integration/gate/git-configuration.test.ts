import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitVariables } from '../../../src/gate/git-config-syntax.ts';
import { createGitHelpers } from '../../../src/gate/git-configuration.ts';
import { createToolClassifier } from '../../../src/gate/tool-effects.ts';

let root: string;
let repository: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hr-git-')));
  repository = join(root, 'repository');
  mkdirSync(repository);
  git('init', '-q');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ENVIRONMENT = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' };
const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.test', '-c', 'commit.gpgsign=false'];
function git(...args: readonly string[]): string {
  const env = { ...ENVIRONMENT, HOME: root };
  return execFileSync('git', ['-C', repository, ...IDENTITY, ...args], { env, encoding: 'utf8', stdio: 'pipe' });
}
const helpers = () => createGitHelpers({}, root);

/** What git itself reads from the file; undefined where it refuses it. */
function asGitReads(text: string): string[] | undefined {
  const file = join(root, 'oracle');
  writeFileSync(file, text);
  try {
    return git('config', '--file', file, '--no-includes', '--list', '-z').split('\0').slice(0, -1);
  } catch {
    // git's refusal is the answer here: the text is compared as one that is not understood.
    return undefined;
  }
}

describe('the syntax of git configuration', () => {
  it.each([
    '',
    '# only a comment\n; and another',
    '[a]\nb = c',
    '[A] B=c # comment',
    '[a "B c"]\nd',
    '[a "q\\"u\\\\o\\x"] d = 1',
    '[a.B]\nc = d',
    '[a]\nb = "x # y" ; z',
    '[a]\nb = one \\\n  two\nc = 3',
    '[a]\nb = x\\t\\n\\"y\\\\',
    '[a]\nb = "  kept  "  ',
    '[a]\r\nb = c\r\n[d]\r\ne\r\n',
    '\uFEFF[a]\nb = c',
    '[a]b=1\n[c "d"]e=2',
    '[a]\nb = # nothing',
    '[a]\nb = ""',
    '[a]\nb = c \\\n; no comment\n',
    '[alias]\n\tx = "!sh -c \'a; b\'"',
    '[a] ; [b]\nc = 1',
    '[a]\n b = c\n   d = e   f  ',
    '[a\nb = c',
    '[a]\nb = "open',
    '[a]\nb = \\q',
    '[a]\nb c',
    '[a]\n1b = c',
    '[a]\nb # comment',
    '[a "x" ]\nb = c',
    '[a "open]\nb = c',
    '[a_b]\nc = d',
  ])('reads what git reads and refuses what git refuses: %j', (text) => {
    const read = gitVariables(text)?.map(({ name, value }) => (value === undefined ? name : `${name}\n${value}`));
    expect(read).toEqual(asGitReads(text));
  });

  it('refuses a variable outside a section, stricter than git', () => {
    expect(gitVariables('b = c')).toBeUndefined();
  });
});

describe('programs that reading a repository would start', () => {
  it('finds none in a new repository, in one with a remote, and outside any', async () => {
    expect(await helpers()(repository)).toBeUndefined();
    git('remote', 'add', 'origin', 'https://example.test/a.git');
    git('config', 'core.fsmonitor', 'false');
    expect(await helpers()(repository)).toBeUndefined();
    expect(await helpers()(root)).toBeUndefined();
  });

  it.each([
    'filter.x.clean',
    'filter.x.process',
    'diff.x.textconv',
    'diff.x.command',
    'diff.external',
    'core.fsmonitor',
    'core.hooksPath',
    'core.sshCommand',
    'alias.st',
    'pager.log',
    'include.path',
    'includeIf.gitdir:/x.path',
    'log.showSignature',
  ])('finds %s in the configuration of the repository and of the user', async (name) => {
    git('config', name, './run');
    expect(await helpers()(repository)).toContain(`config sets ${name.split('.')[0]?.toLowerCase()}.`);
    git('config', '--unset', name);
    expect(await helpers()(repository)).toBeUndefined();
    git('config', '--global', name, './run');
    expect(await helpers()(repository)).toContain('.gitconfig sets ');
  });

  it('looks again when a file has changed since', async () => {
    const asked = helpers();
    expect(await asked(repository)).toBeUndefined();
    git('config', 'core.fsmonitor', './run');
    expect(await asked(repository)).toContain('core.fsmonitor');
  });

  it('follows a linked work tree to its own and to the shared configuration', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', join(root, 'linked'));
    expect(await helpers()(join(root, 'linked'))).toBeUndefined();
    git('config', 'filter.x.clean', './run');
    expect(await helpers()(join(root, 'linked'))).toContain('filter.x.clean');
    git('config', '--unset', 'filter.x.clean');
    writeFileSync(join(repository, '.git/worktrees/linked/config.worktree'), '[core]\nfsmonitor = ./run\n');
    expect(await helpers()(join(root, 'linked'))).toContain('config.worktree sets core.fsmonitor');
  });

  it('is not led astray by a broken repository below the one that git takes', async () => {
    git('config', 'core.fsmonitor', './run');
    mkdirSync(join(repository, 'sub/.git'), { recursive: true });
    expect(await helpers()(join(repository, 'sub'))).toContain('core.fsmonitor');
  });

  it('counts submodules, a hook on the index, a bare repository and a file it does not understand', async () => {
    const bare = join(root, 'bare');
    git('init', '-q', '--bare', bare);
    expect(await helpers()(bare)).toContain('without a work tree');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},sub`);
    expect(await helpers()(repository)).toBe('it has submodules');
    writeFileSync(join(repository, '.git/hooks/post-index-change'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await helpers()(repository)).toContain('post-index-change');
    writeFileSync(join(repository, '.git/config'), '[core\n');
    expect(await helpers()(repository)).toContain('is not understood');
  });

  it('counts an environment that names another repository or more configuration', async () => {
    expect(await createGitHelpers({ GIT_DIR: '/x' }, root)(repository)).toBe('GIT_DIR is set');
    expect(await createGitHelpers({ GIT_CONFIG_COUNT: '1' }, root)(repository)).toBe('GIT_CONFIG_COUNT is set');
  });
});

describe('a git read through the gate', () => {
  const judge = (command: string) =>
    createToolClassifier(
      { fetch: 'read', mcpTools: {} },
      repository,
      helpers(),
    )({ tool: 'Bash', input: { command } }, { cwd: repository, sessionId: 's' });

  it('is a read until the repository names a program, and asked about from then on', async () => {
    expect(await judge('git status --short | head')).toMatchObject({ effect: 'read' });
    git('config', 'filter.x.clean', './run');
    expect(await judge('git status --short | head')).toMatchObject({
      effect: 'unknown',
      reason: expect.stringContaining('sets filter.x.clean'),
    });
    expect(await judge('git status && git push')).toMatchObject({ effect: 'external' });
    expect(await judge('ls')).toMatchObject({ effect: 'read' });
  });

  it.each(['git -C /elsewhere status', 'git --git-dir=/x status', 'GIT_DIR=/x git status', 'cd /x && git status'])(
    'is not certain where it runs elsewhere: %s',
    async (command) => expect(await judge(command)).toMatchObject({ effect: 'unknown' }),
  );
});
