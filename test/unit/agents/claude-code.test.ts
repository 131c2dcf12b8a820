import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../../src/agents/claude-code.ts';
import { ASK_CLAUSE, PROCEED_CLAUSE } from '../../../src/agents/clauses.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'handraise-agents-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const bridge = { command: '/usr/bin/node', args: ['/opt/handraise/dist/mcp.cjs'] };
const CLAUSE = `--append-system-prompt=${ASK_CLAUSE}`;
const DENY = '--disallowedTools=AskUserQuestion';
const ALLOW = '--allowedTools=mcp__operator__ask';

describe('Claude Code, when people can be asked', () => {
  it('loads the bridge, waits for it, and is allowed its tool', async () => {
    const prepared = await attached('-p', 'go');
    const config = join(directory, 'mcp.json');
    expect(prepared).toEqual({
      command: 'claude',
      args: [`--mcp-config=${config}`, ALLOW, DENY, CLAUSE, '-p', 'go'],
      environment: { HANDRAISE_SOCK: '/tmp/h/ask.sock', MCP_CONNECT_TIMEOUT_MS: '30000' },
    });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
      mcpServers: {
        operator: {
          type: 'stdio',
          command: '/usr/bin/node',
          args: ['/opt/handraise/dist/mcp.cjs'],
          env: { HANDRAISE_SOCK: '/tmp/h/ask.sock' },
          alwaysLoad: true,
          timeout: 259_200_000,
        },
      },
    });
    expect(statSync(config).mode & 0o777).toBe(0o600);
  });

  it.each([
    [
      'leaves the user’s own servers in place',
      ['-p', 'go', '--mcp-config', 'a.json', 'b.json', '--strict-mcp-config'],
      [ALLOW, DENY, CLAUSE],
    ],
    ['adds to the user’s allowed tools', ['--allowedTools', 'Bash', 'Edit', '-p', 'go'], [ALLOW, DENY, CLAUSE]],
    ['does not allow its tool twice', ['-p', 'go', '--allowed-tools', 'Bash,mcp__operator__ask'], [DENY, CLAUSE]],
    ['adds to the user’s denied tools', ['-p', 'go', '--disallowedTools', 'Bash'], [ALLOW, DENY, CLAUSE]],
    ['does not deny the built-in twice', ['-p', 'go', '--disallowed-tools=Bash AskUserQuestion'], [ALLOW, CLAUSE]],
    [
      'denies the built-in even where the user allows it',
      ['-p', 'go', '--allowedTools=AskUserQuestion'],
      [ALLOW, DENY, CLAUSE],
    ],
    ['takes nothing after -- for a flag', ['-p', '--', '--disallowedTools AskUserQuestion'], [ALLOW, DENY, CLAUSE]],
    ['goes before a prompt that list flags would swallow', ['say hello', '-p'], [ALLOW, DENY, CLAUSE]],
  ])('%s', async (_, given, added) => {
    const { args } = await attached(...given);
    expect(args.slice(1)).toEqual([...added, ...given]);
  });

  it.each([
    ['as two arguments', ['-p', '--append-system-prompt', 'Be brief.', 'go'], ['-p', 'OURS', 'go']],
    ['as one', ['--append-system-prompt=Be brief.', '-p', 'go'], ['OURS', '-p', 'go']],
    [
      'twice, of which the last counts',
      ['--append-system-prompt', 'Be long.', '--append-system-prompt', 'Be brief.\n'],
      ['--append-system-prompt', 'Be long.', 'OURS'],
    ],
    [
      'behind a list flag',
      ['--allowedTools', 'Bash', '--append-system-prompt', 'Be brief.', 'go', '-p'],
      ['--allowedTools', 'Bash', 'OURS', 'go', '-p'],
    ],
  ])('completes an appended prompt given %s, where it stands', async (_, given, expected) => {
    const { args } = await attached(...given);
    const ours = `--append-system-prompt=Be brief.\n\n${ASK_CLAUSE}`;
    expect(args.slice(3)).toEqual(expected.map((arg) => (arg === 'OURS' ? ours : arg)));
  });

  it('completes an appended prompt from a file', async () => {
    const file = put('prompt.md', 'Be brief.\n');
    const { args } = await attached('-p', '--append-system-prompt-file', file, 'go');
    expect(args.slice(3)).toEqual(['-p', `--append-system-prompt=Be brief.\n\n${ASK_CLAUSE}`, 'go']);
  });

  it.each([
    [
      'an appended prompt from a file that is not there',
      ['--append-system-prompt-file', '/nowhere'],
      /cannot read the file given to --append-system-prompt-file/,
    ],
    [
      'a text and a file at once',
      ['--append-system-prompt', 'a', '--append-system-prompt-file', '/x'],
      /exclude each other/,
    ],
    ['an appended prompt that would not fit', ['--append-system-prompt', 'é'.repeat(60_001)], /too long/],
    ['--safe-mode', ['-p', '--safe-mode'], /--safe-mode switches MCP servers off/],
    ['denying the tool itself', ['--disallowedTools', 'Bash,mcp__operator__ask'], /denies the tool/],
    ['denying the whole server', ['--disallowed-tools=mcp__operator'], /denies the tool/],
    [
      'another server of the same name, inline',
      ['--mcp-config', '{"mcpServers":{"operator":{}}}'],
      /called "operator"/,
    ],
  ])('refuses %s with a hint', async (_, given, sentence) => {
    await expect(attached(...given)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(sentence),
      hint: expect.any(String),
    });
  });

  it('refuses another server of the same name in a file, and leaves files it cannot read to Claude Code', async () => {
    const other = put('other.json', '{"mcpServers":{"mine":{}}}');
    const clash = put('clash.json', '{"mcpServers":{"operator":{}}}');
    await expect(attached('--mcp-config', other, clash)).rejects.toMatchObject({ code: 'usage' });
    await expect(attached('--mcp-config', other, '/nowhere', put('broken.json', '{'))).resolves.toBeDefined();
  });

  it.each(['npx', '/usr/bin/env', 'sudo'])('refuses %s, which would take the flags for its own', async (launcher) => {
    await expect(claudeCode.prepare([launcher, 'claude', '-p'], undefined)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('Claude Code, when nobody can be asked', () => {
  it('is told to go on alone and has no tool to ask with, its own included', async () => {
    expect(await claudeCode.prepare(['/opt/claude', '-p', 'go'], undefined)).toEqual({
      command: '/opt/claude',
      args: [DENY, `--append-system-prompt=${PROCEED_CLAUSE}`, '-p', 'go'],
      environment: {},
    });
  });

  it.each([
    [['--safe-mode']],
    [['--disallowedTools', 'mcp__operator']],
    [['--mcp-config', '{"mcpServers":{"operator":{}}}']],
  ])('does not mind %s', async (given) => {
    const { args } = await claudeCode.prepare(['claude', ...given], undefined);
    expect(args.slice(2)).toEqual(given);
  });
});

describe('the integration claude-code', () => {
  it.each([
    ['claude', true],
    ['/usr/local/bin/claude', true],
    ['claude.exe', true],
    ['claude-wrapper', false],
    ['node', false],
  ])('is meant for %s: %s', (program, meant) => {
    expect(claudeCode.matches(program)).toBe(meant);
  });
});

function attached(...given: string[]) {
  return claudeCode.prepare(['claude', ...given], {
    asks: true,
    socketPath: '/tmp/h/ask.sock',
    bridge,
    directory,
  });
}

function put(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}
