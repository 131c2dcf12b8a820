import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { GateDecision, ToolCall } from '../../../src/core/ports/gate.ts';
import { headlessPrompter } from '../../../src/prompt/headless.ts';
import { scriptedPrompter } from '../../../src/prompt/scripted.ts';
import { arrived, bash, type GateStage, gateStage, type StageOptions, writing } from '../../support/write-gate.ts';

// The behaviours of the gate that this one descends from, by their own words, with what was wrong there put right: the
// file is named, external is told from the command itself, who decided is recorded, a silence is no refusal.

const folder = mkdtempSync(join(tmpdir(), 'hr-seed-'));
const stages: GateStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.stop();
});
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

async function aStage(options: StageOptions): Promise<GateStage> {
  const stage = await gateStage(options);
  stages.push(stage);
  return stage;
}

/** A stage on which a script answers; how many of its steps are left tells how often somebody was asked. */
async function answering(...steps: readonly object[]): Promise<GateStage & { asked(): number }> {
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(steps));
  const scripted = await scriptedPrompter(file);
  let asked = 0;
  const stage = await aStage({
    prompter: {
      propose(proposal, context) {
        asked += 1;
        return scripted.propose(proposal, context);
      },
    },
  });
  return Object.assign(stage, { asked: () => asked });
}

async function all(stage: GateStage, calls: readonly ToolCall[]): Promise<GateDecision['behavior'][]> {
  const behaviors: GateDecision['behavior'][] = [];
  for (const call of calls) behaviors.push((await arrived(stage.check(call))).behavior);
  return behaviors;
}

describe('given a read-only room', () => {
  it.each<[string, ToolCall]>([
    ['Read', { tool: 'Read', input: { file_path: '/etc/hostname' } }],
    ['Grep', { tool: 'Grep', input: { pattern: 'x' } }],
    ['Glob', { tool: 'Glob', input: { pattern: '**/*.ts' } }],
    ['WebFetch', { tool: 'WebFetch', input: { url: 'https://example.com', prompt: 'x' } }],
    ['WebSearch', { tool: 'WebSearch', input: { query: 'x' } }],
    ['a command that lists', bash('ls -la')],
    ['a command that searches', bash('grep -rn TODO src')],
  ])('when %s is used then it is allowed, with no event', async (_, call) => {
    const stage = await aStage({ prompter: headlessPrompter });
    expect(await arrived(stage.check(call))).toMatchObject({ behavior: 'allow', input: call.input });
    expect(stage.events).toEqual([]);
  });
});

describe('given nobody to ask', () => {
  it.each<[string, ToolCall]>([
    ['Write', writing('a.txt')],
    ['Edit', { tool: 'Edit', input: { file_path: 'a.txt', old_string: 'a', new_string: 'b' } }],
    ['MultiEdit', { tool: 'MultiEdit', input: { file_path: 'a.txt', edits: [{ old_string: 'a', new_string: 'b' }] } }],
    ['NotebookEdit', { tool: 'NotebookEdit', input: { notebook_path: 'a.ipynb', new_source: 'x' } }],
    ['a mutating command', bash('touch a.txt')],
    ['an unlisted MCP tool', { tool: 'mcp__tracker__search', input: { query: 'x' } }],
    ['an unknown tool', { tool: 'Teleport', input: {} }],
  ])('when %s is used then it is denied at once, with exactly one event by headless', async (_, call) => {
    const stage = await aStage({ prompter: headlessPrompter });
    expect(await arrived(stage.check(call))).toMatchObject({ behavior: 'deny', kind: 'no_channel' });
    expect(stage.events).toMatchObject([
      { event: 'machine.write_mode_granted', by: 'headless', granted: false, outcome: 'no_channel' },
    ]);
  });
});

describe('given an operator', () => {
  it('who answers action, when two writes come then there are two asks and two events', async () => {
    const stage = await answering({ grant: 'action' }, { grant: 'action' });
    expect(await all(stage, [writing('a.txt'), writing('a.txt')])).toEqual(['allow', 'allow']);
    expect(stage.asked()).toBe(2);
    expect(stage.events.map(({ by, scope }) => [by, scope])).toEqual([
      ['operator', 'action'],
      ['operator', 'action'],
    ]);
  });

  it('who answers turn, when four writes come then there is one ask, and the rest is by active_scope', async () => {
    const stage = await answering({ grant: 'turn' });
    const calls = ['a.txt', 'b.txt', 'a.txt', 'sub/c.txt'].map((file) => writing(file));
    expect(await all(stage, calls)).toEqual(['allow', 'allow', 'allow', 'allow']);
    expect(stage.asked()).toBe(1);
    expect(stage.events.map(({ by }) => by)).toEqual(['operator', 'active_scope', 'active_scope', 'active_scope']);
    expect(new Set(stage.events.map(({ scope }) => scope))).toEqual(new Set(['turn']));
  });

  it('who answers session, when another turn comes then it is still good there', async () => {
    const stage = await answering({ grant: 'session' });
    await all(stage, [writing('a.txt')]);
    await stage.gate.turnEnded('turn-1');
    expect((await arrived(stage.check(writing('b.txt'), { turnId: 'turn-2' }))).behavior).toBe('allow');
    expect(stage.asked()).toBe(1);
  });

  it('who answered turn, when an external step comes then it is asked once more', async () => {
    const stage = await answering({ grant: 'turn' }, { grant: 'action' });
    expect(await all(stage, [writing('a.txt'), bash('git push')])).toEqual(['allow', 'allow']);
    expect(stage.asked()).toBe(2);
    expect(stage.events[1]).toMatchObject({ effect: 'external', by: 'operator', scope: 'action' });
  });

  it('who allowed an external step, when a write or the same step comes then nothing is armed by that', async () => {
    const stage = await answering({ grant: 'action' }, { deny: true }, { deny: true });
    const calls = [bash('git push'), writing('a.txt'), bash('git push')];
    expect(await all(stage, calls)).toEqual(['allow', 'deny', 'deny']);
    expect(stage.asked()).toBe(3);
  });

  it('who answers turn or session to an external step then that is no answer: it is not run', async () => {
    for (const scope of ['turn', 'session']) {
      const stage = await answering({ grant: scope });
      expect(await arrived(stage.check(bash('git push')))).toMatchObject({ behavior: 'deny' });
      expect(await stage.active()).toEqual([]);
    }
  });

  it('who declines then there is a denied event by operator', async () => {
    const stage = await answering({ deny: true });
    expect(await arrived(stage.check(writing('a.txt')))).toMatchObject({ behavior: 'deny', kind: 'denied' });
    expect(stage.events).toMatchObject([{ by: 'operator', granted: false, outcome: 'denied' }]);
  });

  it('who does not answer then that is told apart from a refusal', async () => {
    const stage = await answering({ outcome: 'timed_out' });
    const decision = await arrived(stage.check(writing('a.txt')));
    expect(decision).toMatchObject({ kind: 'timed_out', message: expect.stringContaining('not a refusal') });
    expect(stage.events).toMatchObject([{ by: 'timeout', granted: false, outcome: 'timed_out' }]);
  });
});

it('given an open room then everything is allowed, with no event', async () => {
  const stage = await aStage({ settings: { writes: 'open' }, prompter: headlessPrompter });
  expect(await all(stage, [writing('a.txt'), bash('git push'), bash('rm -rf build')])).toEqual([
    'allow',
    'allow',
    'allow',
  ]);
  expect(stage.events).toEqual([]);
});

it('given a grant then its event carries state path and action label, the file by its path, and who decided', async () => {
  const stage = await gateStage();
  stages.push(stage);
  const facts = { state: 'review/fix', agentId: 'agent-7', agentType: 'fixer' };
  const decided = await stage.decided(writing(stage.path('src/a.ts')), { kind: 'granted', scope: 'turn' }, facts);
  expect(decided.behavior).toBe('allow');
  expect(stage.events).toEqual([
    {
      event: 'machine.write_mode_granted',
      at: stage.clock.now(),
      id: expect.any(String),
      headers: ['write mode'],
      state: 'review/fix',
      action: `Write: ${stage.path('src/a.ts')}`,
      effect: 'write',
      scope: 'turn',
      by: 'operator',
      granted: true,
      outcome: 'granted',
      who: { platform: 'slack', workspaceId: 'T1', userId: 'U1' },
      surface: 'slack',
      request_id: expect.any(String),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      sub_agent: { id: 'agent-7', type: 'fixer' },
      duration_ms: 0,
    },
  ]);
});
