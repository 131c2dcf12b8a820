import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_GATE } from '../../../src/gate/settings.ts';
import { createToolClassifier } from '../../../src/gate/tool-effects.ts';

let root: string;
let here: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hr-tools-')));
  here = join(root, 'project');
  mkdirSync(join(here, 'src'), { recursive: true });
  mkdirSync(join(root, 'home/.ssh'), { recursive: true });
  writeFileSync(join(root, 'home/.ssh/id_ed25519'), 'x');
  symlinkSync(join(root, 'home/.ssh/id_ed25519'), join(here, 'notes.txt'));
  symlinkSync(root, join(here, 'up'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const judge = (tool: string, input: unknown, cwd: string | null = here) =>
  createToolClassifier(
    { ...DEFAULT_GATE, mcpTools: { mcp__db__query: 'read', mcp__db__drop: 'external' } },
    here,
    async () => undefined,
  )({ tool, input }, { cwd, sessionId: 's' });
const effectOf = async (tool: string, input: unknown, cwd?: string | null) => (await judge(tool, input, cwd)).effect;
const tagsOf = async (tool: string, input: unknown) => (await judge(tool, input)).tags;

describe('the tools of agents', () => {
  it.each([
    ['Agent', { prompt: 'rm -rf /' }],
    ['TodoWrite', { todos: [] }],
    ['BashOutput', { bash_id: '1' }],
    ['Skill', { skill: 'deploy' }],
    ['update_plan', { plan: [] }],
    ['mcp__operator__ask', { questions: [] }],
    ['Read', { file_path: '/project/src/a.ts' }],
    ['Glob', { pattern: '**/*.ts' }],
    ['Grep', { pattern: 'password' }],
    ['WebFetch', { url: 'https://example.com', prompt: 'x' }],
    ['Bash', { command: 'git diff | head' }],
    ['shell', { command: ['bash', '-lc', 'ls -la && cat package.json'] }],
    ['exec_command', { cmd: 'rg TODO src' }],
  ])('%s only reads', async (tool, input) => {
    expect(await effectOf(tool, input)).toBe('read');
  });

  it.each([
    'ExitPlanMode',
    'ReadMcpResourceTool',
    'CronCreate',
    'bash',
    'read',
    'Bash ',
    'mcp__db__Query',
    'mcp__other__ask',
    'constructor',
    '__proto__',
  ])('%s is unknown, since no table and no setting names it', async (tool) => {
    expect(await effectOf(tool, { command: 'ls', file_path: '/x' })).toBe('unknown');
  });

  it('of MCP servers are what the configuration says of that very name', async () => {
    expect(await effectOf('mcp__db__query', {})).toBe('read');
    expect(await effectOf('mcp__db__drop', {})).toBe('external');
  });
});

describe('a tool that reads files', () => {
  it.each([
    ['Read', { file_path: '.env' }],
    ['Read', { file_path: 'notes.txt' }],
    ['Read', { file_path: 'up/home/.ssh/id_ed25519' }],
    ['Grep', { pattern: '.', path: 'up/home/.ssh' }],
    ['Grep', { pattern: 'TOKEN', glob: '**/.env*' }],
    ['Grep', { pattern: 'BEGIN', glob: '*.{ts,pem}' }],
    ['Grep', { pattern: 'x', glob: '{a,b}'.repeat(9) }],
    ['view_image', { path: 'up/home/.ssh/id_ed25519' }],
    ['Read', { file_path: '/proc/self/environ' }],
  ])('says so where that may hold a secret, also by another name: %s %o', async (tool, input) => {
    expect(await tagsOf(tool, input)).toContain('secret-read');
  });

  it.each([
    ['Read', { file_path: '.env.example' }],
    ['Glob', { pattern: '**/.env' }],
    ['Grep', { pattern: 'TOKEN', glob: '*.ts' }],
  ])('says nothing where it does not: %s %o', async (tool, input) => {
    expect(await tagsOf(tool, input)).toEqual([]);
  });

  it('may not look at what is handraise’s own', async () => {
    mkdirSync(join(root, 'home/.config/handraise'), { recursive: true });
    symlinkSync(join(root, 'home/.config/handraise'), join(here, 'settings'));
    expect(await tagsOf('Read', { file_path: 'settings/config.yaml' })).toContain('names-handraise');
    expect(await tagsOf('LS', { path: 'up/home/.config/handraise' })).toContain('names-handraise');
  });

  it('is unknown where nobody knows from where it reads', async () => {
    expect(await effectOf('Read', { file_path: 'a.ts' }, null)).toBe('unknown');
    expect(await effectOf('Read', { file_path: '/project/a.ts' }, null)).toBe('read');
  });
});

describe('a tool that writes files', () => {
  const patch = (...lines: string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

  it.each([
    ['Write', { file_path: 'src/a.ts', content: '' }],
    ['NotebookEdit', { notebook_path: 'src/a.ts' }],
    ['apply_patch', patch('*** Update File: src/a.ts', '@@', '-a', '+b')],
  ])('names its target, resolved: %s', async (tool, input) => {
    const step = await judge(tool, input);
    expect(step).toMatchObject({
      effect: 'write',
      targets: [{ path: join(here, 'src/a.ts'), inside: true, later: false }],
    });
  });

  it('says what is outside, behind a link or decides what runs later', async () => {
    const { targets, tags } = await judge(
      'apply_patch',
      patch(
        '*** Add File: up/x',
        '+1',
        '*** Update File: a',
        '*** Move to: .git/hooks/pre-commit',
        '*** Delete File: b',
      ),
    );
    expect(targets.map(({ path, inside, later }) => [path.slice(root.length), inside, later])).toEqual([
      ['/x', false, false],
      ['/project/a', true, false],
      ['/project/.git/hooks/pre-commit', true, true],
      ['/project/b', true, false],
    ]);
    expect(tags).toContain('persistence');
  });

  it.each([
    ['Write', {}],
    ['Write', { file_path: 7 }],
    ['apply_patch', { input: 'rm -rf /' }],
    ['apply_patch', { input: '*** Begin Patch\n*** End Patch' }],
    ['apply_patch', { input: '*** Begin Patch\n*** Rename File: a\n*** End Patch' }],
    ['Bash', {}],
    ['shell', { command: ['ls', 7] }],
  ])('is unknown where that cannot be told: %s %o', async (tool, input) => {
    const { effect, targets } = await judge(tool, input);
    expect(targets).toEqual([]);
    expect(effect).toBe('unknown');
  });
});

describe('a command as a list of words', () => {
  it.each([
    [['rm', '-rf', 'a b; ls'], 'write'],
    [['git', 'push'], 'external'],
    [['bash', '-lc', 'git push'], 'external'],
    [['cat', '$(touch x)'], 'read'],
    [['sh', '-c', 'ls', 'touch x'], 'read'],
    [['sh', '-c', 'touch x', 'ls'], 'write'],
    [['/bin/bash', '-lc', 'touch x'], 'write'],
  ])('%o is %s', async (command, effect) => {
    expect(await effectOf('shell', { command })).toBe(effect);
  });

  it('is judged in the folder that goes with it', async () => {
    const asked: string[] = [];
    const classify = createToolClassifier(DEFAULT_GATE, here, async (cwd) => {
      asked.push(cwd);
      return 'core.fsmonitor';
    });
    const call = { tool: 'shell', input: { command: ['git', 'status'], workdir: 'src' } };
    expect((await classify(call, { cwd: here, sessionId: 's' })).effect).toBe('unknown');
    expect(asked).toEqual([join(here, 'src')]);
  });
});
