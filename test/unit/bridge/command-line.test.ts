import { expect, test } from 'vitest';
import { readCommandLine } from '../../../src/bridge/command-line.ts';

const ENVIRONMENT = { HANDRAISE_SOCK: '/run/ours.sock', KITSOKI_OPERATOR_ASK_SOCK: '/run/older.sock' };

test('the socket comes from the flag, else from HANDRAISE_SOCK, else from the older variable', () => {
  const socketOf = (args: string[], environment: Record<string, string>) => readCommandLine(args, environment, false);
  expect(socketOf(['--socket', '/run/flag.sock'], ENVIRONMENT)).toEqual({
    socketPath: '/run/flag.sock',
    tools: ['ask'],
  });
  expect(socketOf(['--socket=/run/flag.sock'], ENVIRONMENT)).toEqual({ socketPath: '/run/flag.sock', tools: ['ask'] });
  expect(socketOf([], ENVIRONMENT)).toEqual({ socketPath: '/run/ours.sock', tools: ['ask'] });
  expect(socketOf([], { ...ENVIRONMENT, HANDRAISE_SOCK: '' })).toEqual({
    socketPath: '/run/older.sock',
    tools: ['ask'],
  });
  expect(socketOf([], {})).toEqual({ socketPath: undefined, tools: ['ask'] });
});

test('arguments it does not know are named', () => {
  expect(readCommandLine(['--sockt', 'x'], {}, false)).toEqual({
    usage: 'handraise mcp: unknown argument "--sockt"; it takes only --socket PATH and --tools LIST',
  });
  expect(readCommandLine(['--socket'], {}, false)).toEqual({ usage: 'handraise mcp: --socket needs a path' });
});

test('started by hand it says how to start an agent', () => {
  expect(readCommandLine([], {}, true)).toEqual({ usage: expect.stringContaining('handraise run -- claude') });
  expect(readCommandLine(['--socket', '/run/x.sock'], {}, true)).toEqual({ socketPath: '/run/x.sock', tools: ['ask'] });
});

test('it serves what it is told to, and nothing it does not know', () => {
  const toolsOf = (...args: string[]) => readCommandLine(args, {}, false);
  expect(toolsOf('--tools', 'approve')).toEqual({ socketPath: undefined, tools: ['approve'] });
  expect(toolsOf('--tools=approve,ask')).toEqual({ socketPath: undefined, tools: ['ask', 'approve'] });
  for (const list of ['resolve', 'ask,resolve', 'ask,ask', ','])
    expect(toolsOf('--tools', list)).toEqual({ usage: expect.stringContaining('ask, approve') });
  expect(toolsOf('--tools')).toEqual({ usage: 'handraise mcp: --tools needs a list' });
});
