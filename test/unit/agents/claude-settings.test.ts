import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withGatedSettings } from '../../../src/agents/claude-settings.ts';

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-settings-'));
  directory = join(root, 'agent');
  mkdirSync(directory);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const HOOK = "/usr/bin/node '/opt/hand raise/hook.cjs' --socket /tmp/h/ask.sock";

async function gated(given: readonly string[], places: { ordinary?: string[]; managed?: string[] } = {}) {
  const gating = {
    hook: { command: '/usr/bin/node', args: ['/opt/hand raise/hook.cjs'] },
    directory,
    socketPath: '/tmp/h/ask.sock',
  };
  const args = await withGatedSettings(given, gating, { ordinary: [], managed: [], ...places });
  const file = join(directory, 'claude-settings.json');
  return { args, file, settings: JSON.parse(readFileSync(file, 'utf8')) as Record<string, never> };
}

/** A file with that content in the user's own folder. */
function put(name: string, content: unknown): string {
  const file = join(root, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const OURS = (matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command: HOOK, timeout: 20 }],
});

describe('the settings of a gated Claude Code', () => {
  it('ask about every step, and call the hook before it and at the ends of turns and sessions', async () => {
    const { args, file, settings } = await gated(['-p', 'go']);
    expect(args).toEqual([`--settings=${file}`, '-p', 'go']);
    expect(settings).toEqual({
      permissions: { ask: ['*'] },
      hooks: { PreToolUse: [OURS('*')], UserPromptSubmit: [OURS()], Stop: [OURS()], SessionEnd: [OURS()] },
      sandbox: { autoAllowBashIfSandboxed: false },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('keep what the user’s own say, and have the last word', async () => {
    const theirs = {
      model: 'opus',
      permissions: { allow: ['Bash'], ask: ['WebFetch'], deny: ['Edit'], defaultMode: 'plan' },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [] }], PostToolUse: [{ hooks: [] }] },
      sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
    };
    const { settings } = await gated(['--settings', JSON.stringify(theirs), '-p', 'go']);
    expect(settings).toMatchObject({
      model: 'opus',
      permissions: { allow: ['Bash'], ask: ['WebFetch', '*'], deny: ['Edit'], defaultMode: 'plan' },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [] }, OURS('*')], PostToolUse: [{ hooks: [] }] },
      sandbox: { enabled: true, autoAllowBashIfSandboxed: false },
    });
  });

  it.each([
    ['as two arguments', ['-p', '--settings', 'FILE', 'go'], ['-p', 'OURS', 'go']],
    ['as one', ['--settings=FILE', '-p', 'go'], ['OURS', '-p', 'go']],
    [
      'behind a list flag, which would swallow the prompt',
      ['--allowedTools', 'Bash', '--settings', 'FILE', 'go', '-p'],
      ['--allowedTools', 'Bash', 'OURS', 'go', '-p'],
    ],
    [
      'twice, of which the last counts',
      ['--settings={"model":"a"}', '--settings', 'FILE', '-p'],
      ['OURS', 'OURS', '-p'],
    ],
    [
      'and not what follows --',
      ['--settings', 'FILE', '-p', '--', '--settings', 'x'],
      ['OURS', '-p', '--', '--settings', 'x'],
    ],
  ])('stand where the user’s own stood, given %s', async (_, given, expected) => {
    const own = put('own.json', { model: 'opus' });
    const { args, file, settings } = await gated(given.map((one) => one.replace('FILE', own)));
    expect(args).toEqual(expected.map((one) => one.replace('OURS', `--settings=${file}`)));
    expect(settings).toMatchObject({ model: 'opus' });
  });

  it('take an empty file and one that is missing for settings that say nothing', async () => {
    const empty = put('empty.json', ' \n');
    await gated(['--settings', empty], {
      ordinary: [join(root, 'missing.json'), empty],
      managed: [join(root, 'none.json')],
    });
  });

  it.each<[string, () => Parameters<typeof gated>]>([
    ['hooks that are switched off', () => [['--settings={"disableAllHooks":true}']]],
    ['hooks that are switched off by the user', () => [[], { ordinary: [put('s.json', { disableAllHooks: true })] }]],
    [
      'hooks that are switched off by the organisation',
      () => [[], { managed: [put('s.json', { disableAllHooks: true })] }],
    ],
    [
      'rules of the organisation’s alone',
      () => [[], { managed: [put('s.json', { allowManagedPermissionRulesOnly: true })] }],
    ],
    [
      'a sandbox that lets everything run',
      () => [[], { managed: [put('s.json', { sandbox: { autoAllowBashIfSandboxed: true } })] }],
    ],
    ['JSON that cannot be parsed', () => [['--settings={"model":}']]],
    ['a file that cannot be parsed', () => [['--settings', put('s.json', '// no')]]],
    ['a file of the user’s that cannot be parsed', () => [[], { ordinary: [put('s.json', '{')] }]],
    ['a file that is a folder', () => [[], { ordinary: [directory] }]],
    ['a list', () => [['--settings', put('s.json', [])]]],
    ['a file that is not there', () => [['--settings', join(root, 'missing.json')]]],
    ['a flag without its value', () => [['--settings']]],
    ['permissions of another shape', () => [['--settings={"permissions":[]}']]],
    ['questions of another shape', () => [['--settings={"permissions":{"ask":"*"}}']]],
    ['hooks of another shape', () => [['--settings={"hooks":{"Stop":{}}}']]],
  ])('are refused with %s, and what to do is said', async (_, given) => {
    await expect(gated(...given())).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/\S/),
      hint: expect.stringMatching(/\S/),
    });
  });
});
