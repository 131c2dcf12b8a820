import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Action, actionDigest } from '../../../src/gate/digest/action-digest.ts';

const SALT = 'of this session';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hr-digest-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content = 'one'): void {
  const whole = join(folder, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, content);
}

function bash(command: string, more: Readonly<Record<string, unknown>> = {}): Action {
  return { tool: 'Bash', input: { command, ...more }, cwd: folder, effect: 'unknown', targets: [] };
}

async function digestOf(action: Action, salt = SALT): Promise<string> {
  return (await actionDigest(action, salt)).digest;
}

/** Whether the digest of the action is another one after the change. */
async function changesBy(action: Action, change: () => void): Promise<boolean> {
  const before = await digestOf(action);
  expect(await digestOf(action)).toBe(before);
  change();
  return (await digestOf(action)) !== before;
}

describe('the digest of an action', () => {
  it('is the same with another description and another timeout', async () => {
    const plain = await digestOf(bash('npm test'));
    expect(plain).toMatch(/^[0-9a-f]{64}$/);
    expect(await digestOf(bash('npm test', { description: 'Run the tests', timeout: 1_000 }))).toBe(plain);
    expect(await digestOf(bash('npm test', { timeout: 600_000, description: 'Something else' }))).toBe(plain);
  });

  it('is the same however the members of the input are ordered', async () => {
    const tool = { tool: 'mcp__db__query', cwd: folder, effect: 'unknown', targets: [] } as const;
    const one = await digestOf({ ...tool, input: { a: 1, b: { c: 2, d: 3 } } });
    expect(await digestOf({ ...tool, input: { b: { d: 3, c: 2 }, a: 1 } })).toBe(one);
  });

  it.each<[string, Partial<Action>]>([
    ['command', { input: { command: 'npm test -- --watch' } }],
    ['assignment in the command', { input: { command: 'CI=1 npm test' } }],
    ['member of the input', { input: { command: 'npm test', run_in_background: true } }],
    ['tool', { tool: 'Shell' }],
    ['folder', { cwd: '/' }],
    ['unknown folder', { cwd: null }],
    ['judgement', { effect: 'external' }],
    ['target', { targets: ['/home/ana/api/x'] }],
  ])('is another one for another %s', async (_, other) => {
    expect(await digestOf({ ...bash('npm test'), ...other })).not.toBe(await digestOf(bash('npm test')));
  });

  it('is another one in another session, so that nobody can look commands up by their digests', async () => {
    expect(await digestOf(bash('npm test'), 'of another')).not.toBe(await digestOf(bash('npm test')));
  });

  it('counts a description of another tool, which may be what it writes', async () => {
    const issue = (description: string): Action => {
      return { ...bash(''), tool: 'mcp__tracker__create', input: { title: 'a', description } };
    };
    expect(await digestOf(issue('one'))).not.toBe(await digestOf(issue('two')));
  });

  it('refuses an input that JSON cannot say', async () => {
    await expect(actionDigest({ ...bash(''), input: { command: 'ls', n: Number.NaN } }, SALT)).rejects.toThrow(
      TypeError,
    );
  });
});

describe('what a command names is bound by its content', () => {
  it.each([
    ['node deploy.mjs', 'deploy.mjs'],
    ['./deploy.sh --now', 'deploy.sh'],
    ['bash -e scripts/deploy.sh', 'scripts/deploy.sh'],
    ['. ./env.sh && echo done', 'env.sh'],
    ['CI=1 timeout 60 python3 -u tools/run.py', 'tools/run.py'],
    ['cd sub && node build.mjs', 'sub/build.mjs'],
    ['(cd sub; ./build.sh) | tee log', 'sub/build.sh'],
    ['echo $(node inner.mjs)', 'inner.mjs'],
    ["sh -c 'cd sub && ./x.sh'", 'sub/x.sh'],
    ['if true; then ruby a.rb; fi', 'a.rb'],
    ['psql -f migrate.sql', 'migrate.sql'],
    ['docker build -f build.Dockerfile .', 'build.Dockerfile'],
    ['kubectl apply --filename=app.yaml', 'app.yaml'],
    ['curl -d @body.json https://example.com', 'body.json'],
    ['git apply fix.patch', 'fix.patch'],
    ['patch -p1 < fix.patch', 'fix.patch'],
    ['sed -fprogram.sed a', 'program.sed'],
    ['npm test', 'package.json'],
    ['cd sub && timeout 60 npm run build', 'sub/package.json'],
    ['make -j4 all', 'Makefile'],
    ['cargo test', 'Cargo.toml'],
    ['python -m pytest', 'pyproject.toml'],
  ])('%s: %s', async (command, file) => {
    write(file);
    expect(await changesBy(bash(command), () => write(file, 'two'))).toBe(true);
  });

  it('is bound as absent, too, where it would be run', async () => {
    expect(await changesBy(bash('node build.mjs'), () => write('build.mjs'))).toBe(true);
    expect(await changesBy(bash('make all'), () => write('Makefile'))).toBe(true);
  });

  it('is found above the folder, the nearest first', async () => {
    write('package.json');
    write('a/b/c/.keep');
    const inside = { ...bash('npm test'), cwd: join(folder, 'a/b/c') };
    expect(await changesBy(inside, () => write('package.json', 'two'))).toBe(true);
    expect(await changesBy(inside, () => write('a/package.json'))).toBe(true);
    expect(await changesBy(inside, () => write('package.json', 'three'))).toBe(false);
  });

  it('is another one when a link is turned to another file of the same content', async () => {
    write('one.sh', 'same');
    write('two.sh', 'same');
    const link = join(folder, 'run.sh');
    symlinkSync('one.sh', link);
    const turned = await changesBy(bash('./run.sh'), () => {
      rmSync(link);
      symlinkSync('two.sh', link);
    });
    expect(turned).toBe(true);
  });

  it('is not changed by what the command leaves behind or only mentions', async () => {
    write('package.json');
    expect(await changesBy(bash('npm run build > build.log'), () => write('build.log', 'done'))).toBe(false);
    expect(await changesBy(bash('npm run build'), () => write('build/out.js'))).toBe(false);
    expect(await changesBy(bash('npm test'), () => write('src/a.ts', 'changed'))).toBe(false);
  });

  it('does not wait for a pipe, and says what it cannot bind', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.sh')]);
    const { unbound } = await actionDigest(bash('bash pipe.sh && node $SCRIPT && cd "$ROOT"'), SALT);
    expect(unbound).toEqual(['what $SCRIPT stands for', 'what "$ROOT" stands for']);
    const nowhere = await actionDigest({ ...bash('node x.mjs'), cwd: null }, SALT);
    expect(nowhere.unbound).toEqual(['relative paths: where it runs is not known']);
    const broken = await actionDigest(bash('node x.mjs ('), SALT);
    expect(broken.unbound).toEqual(['files named in a command that cannot be parsed']);
  });

  it('takes a file that is too large to look at as such', async () => {
    write('big.mjs', 'x'.repeat(17 * 1_048_576));
    const { unbound } = await actionDigest(bash('node big.mjs'), SALT);
    expect(unbound).toEqual([`the content of ${join(folder, 'big.mjs')}`]);
  });

  it('comes back for a command that names more files than anybody writes', async () => {
    const many = Array.from({ length: 900 }, (_, index) => `f${index}`).join(' ');
    const { unbound } = await actionDigest(bash(`node ${many}`), SALT);
    expect(unbound).toEqual(['some of the files: it names too many']);
  });
});

describe('what a file tool writes to is bound by what is there', () => {
  it.each(['Write', 'Edit', 'NotebookEdit'])('%s', async (tool) => {
    const member = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
    const action = { ...bash(''), tool, input: { [member]: join(folder, 'a.ts'), content: 'new' }, effect: 'write' };
    expect(await changesBy(action, () => write('a.ts'))).toBe(true);
    expect(await changesBy(action, () => write('a.ts', 'edited meanwhile'))).toBe(true);
  });

  it('binds what another tool names by its path, where that is a file', async () => {
    write('job.yaml');
    const action = { ...bash(''), tool: 'mcp__jobs__run', input: { job: { file: 'job.yaml' }, name: 'nightly' } };
    expect(await changesBy(action, () => write('job.yaml', 'two'))).toBe(true);
  });
});
