import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookCommand } from '../../../src/bridge/command.ts';
import { createDesk, type Desk, HANDRAISE } from '../../support/handraise.ts';

/** What Claude Code 2.1.197 tells before a step of a sub-agent. */
const STEP = {
  session_id: 'session-1',
  transcript_path: '/home/u/.claude/projects/p/session-1.jsonl',
  cwd: '/project/sub',
  prompt_id: 'prompt-1',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'cat key', description: 'reads' },
  tool_use_id: 'toolu_1',
  agent_id: 'agent-1',
  agent_type: 'Explore',
};

describe('handraise hook', () => {
  let desk: Desk;
  let path: string;
  let heard: Record<string, unknown>[];
  let reply: object | string | undefined;
  let close: () => Promise<void>;
  beforeEach(async () => {
    desk = createDesk();
    path = join(desk.temporary, 'an owner’s socket');
    heard = [];
    reply = { v: 1, kind: 'noted', id: 'hook' };
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      // The hook ends its connection as it likes.
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        heard.push(JSON.parse(String(chunk)) as Record<string, unknown>);
        if (reply === undefined) socket.destroy();
        else socket.write(`${typeof reply === 'string' ? reply : JSON.stringify(reply)}\n`);
      });
    }).listen(path);
    await once(server, 'listening');
    close = async () => {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    };
  });
  afterEach(async () => {
    await close();
    desk.remove();
  });

  const hook = (event: unknown, args: readonly string[] = ['--socket', path]) => {
    const { command, args: own } = hookCommand();
    const input = typeof event === 'string' ? event : JSON.stringify(event);
    return execa(command, [...own, ...args], { input, env: desk.env, extendEnv: false, reject: false });
  };

  it('tells the run where a step runs, in which turn and session, and which sub-agent wants it; and prints nothing', async () => {
    expect(await hook(STEP)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(heard).toEqual([
      {
        v: 1,
        kind: 'observe',
        id: 'hook',
        toolUseId: 'toolu_1',
        cwd: '/project/sub',
        sessionId: 'session-1',
        turnId: 'prompt-1',
        agentId: 'agent-1',
        agentType: 'Explore',
      },
    ]);
  });

  it.each([
    ['UserPromptSubmit', {}, { event: 'turn_began', turnId: 'prompt-1' }],
    ['Stop', { stop_hook_active: false }, { event: 'turn_ended', turnId: 'prompt-1' }],
    ['SessionEnd', { reason: 'clear' }, { event: 'session_ended', sessionId: 'session-1' }],
  ])('tells %s', async (name, more, told) => {
    expect(await hook({ ...STEP, ...more, hook_event_name: name })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    expect(heard).toEqual([{ v: 1, kind: 'lifecycle', id: 'hook', ...told }]);
  });

  it.each([
    [
      'the end of a process, after which the session may be resumed',
      { ...STEP, hook_event_name: 'SessionEnd', reason: 'other' },
    ],
    ['the end of a sub-agent', { ...STEP, hook_event_name: 'SubagentStop' }],
    ['an event that it does not know', { ...STEP, hook_event_name: 'SomethingNew' }],
    ['a step without an id', { ...STEP, tool_use_id: undefined }],
    ['a step without a folder', { ...STEP, cwd: '' }],
  ])('says nothing about %s', async (_, event) => {
    expect(await hook(event)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(heard).toEqual([]);
  });

  it.each<[string, object | string | undefined, RegExp]>([
    [
      'refuses',
      { v: 1, kind: 'error', id: 'hook', code: 'invalid_frame', text: 'The frame cannot be read.' },
      /cannot be read/,
    ],
    ['speaks another language', 'hello', /form this bridge does not know/],
    ['hangs up', undefined, /closed the connection/],
  ])('fails without blocking the step when the run %s', async (_, answer, says) => {
    reply = answer;
    const { exitCode, stdout, stderr } = await hook(STEP);
    // Exit code 2 would be a denial in the hook's own name.
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(says);
  });

  it.each<[string, unknown, string[]]>([
    ['without a run', STEP, []],
    ['when the run is gone', STEP, ['--socket', '/nowhere/ask.sock']],
    ['on what is not JSON', '{"cwd":', ['--socket', '/nowhere/ask.sock']],
    ['on no object', [], ['--socket', '/nowhere/ask.sock']],
    ['on flags that it does not know', STEP, ['--sockets', '/nowhere/ask.sock']],
  ])('fails without blocking the step %s, in one line', async (_, event, args) => {
    const { exitCode, stdout, stderr } = await hook(event, args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^handraise hook: [^\n]+$/);
    expect(stderr).not.toContain('cat key');
  });

  it('is the command of the same name, too, and finds the socket in its environment', async () => {
    const run = execa(process.execPath, [HANDRAISE, 'hook'], {
      input: JSON.stringify(STEP),
      env: { ...desk.env, HANDRAISE_SOCK: path },
      extendEnv: false,
    });
    expect(await run).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
    expect(heard).toMatchObject([{ kind: 'observe', toolUseId: 'toolu_1' }]);
  });
});
