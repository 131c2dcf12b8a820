import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelRequest, say, type ToolCall } from '../doubles/model/index.ts';
import { installAgent } from './support/install-agents.ts';
import { openStage, type Stage, textOf } from './support/stage.ts';

const NOTES_SERVER = fileURLToPath(new URL('../fixtures/agents/notes-server.mjs', import.meta.url));

const bash = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'does what it says' } });
const write = (path: string, content: string): ToolCall => ({ name: 'Write', input: { file_path: path, content } });
/** Tools' results that came with the n-th request of a conversation. */
const turn = (n: number, agent: 'main' | 'subagent' = 'main') => {
  return (request: ModelRequest) => request.agent === agent && request.turn === n;
};
const isResult = (request: ModelRequest) => request.toolResults.length > 0;

/** Real Claude Code, the real gate, real git; only the model and Slack are played. */
describe('a step of Claude Code under handraise run', () => {
  beforeAll(() => installAgent('claude-code'));

  it.each([{ agent: 'main' }, { agent: 'subagent' }] as const)(
    'of the $agent agent is proposed, allowed by a click and run; reads run unasked (promise: writes-are-proposed)',
    async ({ agent }) => {
      const steps = [
        call({ name: 'Read', input: { file_path: 'README.md' } }, bash('git status && ls -la')),
        call(write('made.txt', 'one\n')),
        call({ name: 'Edit', input: { file_path: 'README.md', old_string: '# Greeting', new_string: '# Hello' } }),
        call(bash('touch touched.txt')),
        call({ name: 'mcp__notes__note', input: { text: 'remember' } }),
        call(bash('git push origin feature/greeting')),
        call(bash('git status && git push origin :old')),
        say('done'),
      ];
      const delegate = { subagent_type: 'general-purpose', description: 'work', prompt: 'work on it' };
      const script =
        agent === 'main' ? steps : { main: [call({ name: 'Agent', input: delegate }), say('over')], subagent: steps };
      await using stage = await openStage({ script, approves: true });
      const { remote, notes, flags } = await withRemoteAndNotes(stage);
      const run = stage.claude('go', { claude: flags });
      const said: string[] = [];
      const allowed = async (text: string) => said.push(await stage.decide(text, 'action'));

      expect((await stage.model.until(turn(2, agent))).toolResults).toMatchObject([
        { isError: false },
        { isError: false },
      ]);
      expect(stage.file('made.txt')).toBeUndefined();
      await allowed('made.txt');
      await allowed('# Hello');
      expect(stage.file('made.txt')).toBe('one\n');
      await allowed('touch touched.txt');
      expect(stage.file('README.md')).toBe('# Hello\n');
      await allowed('mcp__notes__note');
      expect(stage.file('touched.txt')).toBe('');
      await allowed('git push origin feature/greeting');
      expect(readFileSync(notes, 'utf8')).toBe('remember');
      await allowed('git push origin :old');
      expect(await branchesOf(remote)).toEqual(['feature/greeting', 'old']);
      const last = await stage.model.until(turn(8, agent));
      expect(last.toolResults).toMatchObject([{ isError: false }]);
      expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
      expect(await branchesOf(remote)).toEqual(['feature/greeting']);

      for (const [at, mark] of ['WRITE', 'WRITE', 'WRITE', 'UNKNOWN', 'EXTERNAL', 'EXTERNAL'].entries())
        expect(said[at]).toContain(mark);
      for (const text of said) expect(text.includes('its sub-agent general-purpose (')).toBe(agent === 'subagent');
      await stage.nothingLeft();
      expect(stage.slack.violations).toEqual([]);
    },
  );

  it('that is denied with a note is not run, and the note is in the next model request (promise: denial-notes)', async () => {
    await using stage = await openStage({ script: [call(write('a.txt', 'x')), say('went on')], approves: true });
    const run = stage.claude('go');
    await stage.decide('a.txt', { note: 'Use b.txt instead.' });
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('Use b.txt instead.') }]);
    expect(toolResults[0]?.text).toContain('A person refused this step');
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(stage.file('a.txt')).toBeUndefined();
    const card = await stage.card('a.txt', ({ controls }) => controls.length === 0);
    expect(textOf(card)).toContain('Denied');
  });

  it('runs by a grant for the run until it ends, but a push is asked about again (promise: external-every-time)', async () => {
    const push = bash('git push origin feature/greeting');
    await using stage = await openStage({
      script: [call(write('a.txt', '1')), call(write('b.txt', '2')), call(push), call(push), say('done')],
      approves: true,
    });
    const { remote } = await withRemoteAndNotes(stage);
    const run = stage.claude('go');
    await stage.decide('a.txt', 'session');
    await stage.decide('git push', 'action');
    expect(stage.file('b.txt')).toBe('2');
    await stage.model.until(turn(4));
    expect(await branchesOf(remote)).toEqual(['feature/greeting', 'old']);
    await stage.decide('git push', 'deny');
    const { toolResults } = await stage.model.until(turn(5));
    expect(toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('A person refused') }]);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    const events = await stage.events();
    expect(events.map(({ by, scope, granted }) => [by, scope, granted])).toEqual([
      ['operator', 'session', true],
      ['active_scope', 'session', true],
      ['operator', 'action', true],
      ['operator', undefined, false],
    ]);
  });

  it('is shown with the path it really writes after the agent changed the folder', async () => {
    await using stage = await openStage({
      script: [call(bash('cd sub')), call(bash('echo hi > note.txt')), say('done')],
      approves: true,
    });
    await mkdir(join(stage.workplace.project, 'sub'));
    const run = stage.claude('go');
    const card = await stage.decide('note.txt', 'action');
    expect(card).toContain(join(stage.workplace.project, 'sub'));
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(stage.file('sub/note.txt')).toBe('hi\n');
    expect(stage.file('note.txt')).toBeUndefined();
  });

  it('fetches from the network unasked, as a read', async () => {
    const fetch = { name: 'WebFetch', input: { url: 'http://127.0.0.1:9/', prompt: 'what is it?' } };
    await using stage = await openStage({ script: [call(fetch), say('done')], approves: true });
    const run = stage.claude('go');
    const { toolResults } = await stage.model.until(isResult);
    // Nothing listens there: that it tried is all there is to see.
    expect(toolResults[0]?.text).not.toMatch(/person|handraise|permission/i);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(stage.slack.calls.filter(({ method }) => method === 'chat.postMessage')).toEqual([]);
  });
});

/** A bare repository as `origin`, with a branch `old`, and a user's own MCP server that writes a file. */
async function withRemoteAndNotes({ workplace }: Stage) {
  const remote = join(workplace.files, 'remote.git');
  const notes = join(workplace.files, 'noted.txt');
  const git = (...args: string[]) =>
    execa('git', args, { cwd: workplace.project, env: workplace.environment, extendEnv: false });
  await git('init', '--quiet', '--bare', remote);
  await git('remote', 'add', 'origin', remote);
  await git('push', '--quiet', 'origin', 'HEAD:old');
  const config = join(workplace.files, 'notes.json');
  const entry = { type: 'stdio', command: process.execPath, args: [NOTES_SERVER, notes] };
  await writeFile(config, JSON.stringify({ mcpServers: { notes: entry } }));
  return { remote, notes, flags: ['--mcp-config', config] };
}

async function branchesOf(remote: string): Promise<string[]> {
  const { stdout } = await execa('git', ['--git-dir', remote, 'for-each-ref', '--format=%(refname:lstrip=2)']);
  return stdout.split('\n');
}
