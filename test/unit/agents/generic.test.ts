import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generic } from '../../../src/agents/generic.ts';
import { integrationFor } from '../../../src/agents/integrations.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'handraise-agents-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('any other agent', () => {
  it('finds socket and MCP configuration in its environment, and its arguments untouched', async () => {
    const bridge = { command: 'node', args: ['mcp.cjs'] };
    const prepared = await generic.prepare(['agent', '--flag', '--', 'x'], {
      asks: true,
      socketPath: '/s',
      bridge,
      directory,
    });
    const config = join(directory, 'mcp.json');
    expect(prepared).toEqual({
      command: 'agent',
      args: ['--flag', '--', 'x'],
      environment: { HANDRAISE_SOCK: '/s', HANDRAISE_MCP_CONFIG: config },
    });
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({
      mcpServers: { operator: { type: 'stdio', ...bridge, env: { HANDRAISE_SOCK: '/s' } } },
    });
  });

  it('has neither when nobody can be asked', async () => {
    expect(await generic.prepare(['agent', 'x'], undefined)).toEqual({
      command: 'agent',
      args: ['x'],
      environment: {},
    });
  });
});

describe('the integration of a command line', () => {
  it('follows the program unless it is named', () => {
    expect(integrationFor('/usr/bin/claude').name).toBe('claude-code');
    expect(integrationFor('codex').name).toBe('generic');
    expect(integrationFor('claude', 'generic').name).toBe('generic');
    expect(integrationFor('wrapper', 'claude-code').name).toBe('claude-code');
  });

  it('must be one that exists', () => {
    expect(() => integrationFor('claude', 'claude')).toThrow(
      expect.objectContaining({ code: 'usage', hint: 'Known are claude-code and generic.' }),
    );
  });
});
