import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ASK_CLAUSE, PROCEED_CLAUSE } from '../../src/agents/clauses.ts';
import { call, type ModelRequest, say } from '../doubles/model/index.ts';
import { installAgent } from './support/install-agents.ts';
import { descendantsOf } from './support/process-tree.ts';
import { ask, openStage, type Stage, textOf } from './support/stage.ts';

const isResult = (request: ModelRequest) => request.toolResults.length > 0;

/** Real Claude Code, the real bridge, the real Bolt; only the model and Slack are played. */
describe('Claude Code under handraise run', () => {
  beforeAll(() => installAgent('claude-code'));

  it('gets a person’s click as the result of its tool call (promise: answer-unblocks)', async () => {
    await using stage = await openStage({
      script: [call(ask('Which database?', 'Postgres', 'SQLite')), say('Postgres it is')],
    });
    const run = stage.claude('go');
    const first = await stage.model.request(1);
    expect(first.tools).toContain('mcp__operator__ask');
    expect(first.tools).not.toContain('AskUserQuestion');
    expect(first.system).toContain(ASK_CLAUSE);

    await stage.answer('Which database?', 'Postgres');
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([
      { toolUseId: 'toolu_1_0', isError: false, text: expect.stringContaining('"Which database?":"Postgres"') },
    ]);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(await run.events.until((event) => event.type === 'result')).toMatchObject({ result: 'Postgres it is' });

    const settled = await stage.card('Which database?', (card) => textOf(card).includes('Answered'));
    expect(settled.controls).toEqual([]);
    expect(textOf(settled)).toMatch(/by ana/i);
    await stage.nothingLeft();
    expect(stage.slack.violations).toEqual([]);
  });

  it('shows two overlapping asks one after the other and answers each with its own', async () => {
    const both = call(ask('First?', 'One', 'Uno'), ask('Second?', 'Two', 'Dos'));
    await using stage = await openStage({ script: [both, say('done')] });
    const run = stage.claude('go');
    // Claude Code calls its hooks for both at once, so that either may come first.
    await Promise.all([stage.answer('First?', 'Uno'), stage.answer('Second?', 'Two')]);
    const { toolResults } = await stage.model.until(isResult);
    const texts = Object.fromEntries(toolResults.map(({ toolUseId, text }) => [toolUseId, text]));
    expect(texts['toolu_1_0']).toContain('"First?":"Uno"');
    expect(texts['toolu_1_1']).toContain('"Second?":"Two"');
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(stage.slack.violations).toEqual([]);
  });

  it('asks once what two calls at the same time ask in the same words, and answers both', async () => {
    const same = ask('Which database?', 'Postgres', 'SQLite');
    await using stage = await openStage({ script: [call(same, same), say('done')] });
    const run = stage.claude('go');
    await stage.card('Which database?');
    await joined(stage);
    await stage.answer('Which database?', 'SQLite');
    const { toolResults } = await stage.model.until(isResult);
    const answered = { isError: false, text: expect.stringContaining('"Which database?":"SQLite"') };
    expect(toolResults).toMatchObject([answered, answered]);
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(postsOf(stage, 'Which database?')).toBe(1);
    expect(stage.slack.violations).toEqual([]);
  });

  it('finds its open card again when its bridge was killed and it calls once more', async () => {
    const same = call(ask('Which database?', 'Postgres', 'SQLite'));
    await using stage = await openStage({ script: [same, same, say('done')] });
    const run = stage.claude('go');
    await stage.card('Which database?', ({ controls }) => controls.length > 0);
    const bridge = (await descendantsOf(run.pid)).find(({ command }) => command.includes('mcp-start.cjs'));
    process.kill(Number(bridge?.pid), 'SIGKILL');
    const lost = await stage.model.until(isResult);
    expect(lost.toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('Connection closed') }]);
    await joined(stage);
    await stage.answer('Which database?', 'Postgres');
    const { toolResults } = await stage.model.until((request) => request.turn === 3);
    expect(toolResults).toMatchObject([
      { isError: false, text: expect.stringContaining('"Which database?":"Postgres"') },
    ]);
    expect(await run.exit).toMatchObject({ code: 0 });
    await stage.card('Which database?', (card) => textOf(card).includes('Answered'));
    expect(postsOf(stage, 'Which database?')).toBe(1);
    expect(stage.slack.violations).toEqual([]);
  });

  it('lets a sub-agent ask', async () => {
    const delegate = { subagent_type: 'general-purpose', description: 'look', prompt: 'ask for the colour' };
    await using stage = await openStage({
      script: {
        main: [call({ name: 'Agent', input: delegate }), say('done')],
        subagent: [call(ask('Which colour?', 'Blue', 'Red')), say('the colour is blue')],
      },
    });
    const run = stage.claude('go');
    await stage.answer('Which colour?', 'Blue');
    const heard = await stage.model.until((request) => request.agent === 'subagent' && isResult(request));
    expect(heard.toolResults).toMatchObject([{ isError: false, text: expect.stringContaining('"Blue"') }]);
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(stage.slack.violations).toEqual([]);
  });

  it.each([
    { how: 'to handraise alone', signal: 'signal' },
    { how: 'to the whole group, as a supervisor does', signal: 'signalGroup' },
  ] as const)(
    'withdraws the card within 3 s of a SIGINT $how, and leaves no process and no socket',
    async ({ signal }) => {
      await using stage = await openStage({ script: [call(ask('Which database?', 'Postgres', 'SQLite'))] });
      const run = stage.claude('go');
      await stage.card('Which database?', ({ controls }) => controls.length > 0);
      expect(await descendantsOf(run.pid)).toEqual(
        expect.arrayContaining([expect.objectContaining({ command: expect.stringContaining('mcp-start.cjs') })]),
      );
      const begun = Date.now();
      run[signal]('SIGINT');
      expect(await run.exit).toMatchObject({ code: 0, signal: null });
      const withdrawn = await stage.card('Which database?', ({ controls }) => controls.length === 0);
      expect(Date.now() - begun).toBeLessThan(4_000);
      expect(textOf(withdrawn)).toContain('Withdrawn');
      await stage.nothingLeft();
      expect(stage.slack.violations).toEqual([]);
    },
  );

  it('ends with 143 on SIGTERM and withdraws the card', async () => {
    await using stage = await openStage({ script: [call(ask('Which database?', 'Postgres', 'SQLite')), say('bye')] });
    const run = stage.claude('go');
    await stage.card('Which database?', ({ controls }) => controls.length > 0);
    run.signal('SIGTERM');
    expect(await run.exit).toMatchObject({ code: 143, signal: null });
    const withdrawn = await stage.card('Which database?', ({ controls }) => controls.length === 0);
    expect(textOf(withdrawn)).toContain('Withdrawn');
    await stage.nothingLeft();
  });

  it.each(['read_only', 'open'])(
    'without a channel is told to proceed alone and cannot ask at all, with writes: %s',
    async (writes) => {
      await using stage = await openStage({ script: [say('done alone')], bound: false, gate: `{ writes: ${writes} }` });
      const run = stage.claude('go');
      const { tools, system } = await stage.model.request(1);
      expect(tools).not.toContain('mcp__operator__ask');
      expect(tools).not.toContain('mcp__operator__approve');
      expect(tools).not.toContain('AskUserQuestion');
      expect(system).toContain(PROCEED_CLAUSE);
      expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
      expect(stage.slack.calls).toEqual([]);
    },
  );

  it('is told in which sub-agent a question arose', async () => {
    const delegate = { subagent_type: 'general-purpose', description: 'look', prompt: 'ask for the colour' };
    await using stage = await openStage({
      script: {
        main: [call({ name: 'Agent', input: delegate }, ask('Which shape?', 'Round', 'Square')), say('done')],
        subagent: [call(ask('Which colour?', 'Blue', 'Red')), say('the colour is blue')],
      },
    });
    const run = stage.claude('go');
    const shape = await stage.card('Which shape?', ({ controls }) => controls.length > 0);
    expect(textOf(shape)).not.toContain('sub-agent');
    await stage.answer('Which shape?', 'Round');
    const colour = await stage.card('Which colour?', ({ controls }) => controls.length > 0);
    expect(textOf(colour)).toMatch(/claude-code, its sub-agent general-purpose \(\w+\) · project/);
    await stage.answer('Which colour?', 'Blue');
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(stage.slack.violations).toEqual([]);
  });

  it('leaves plan mode only when a person starts its plan', async () => {
    const plan = (text: string) => call({ name: 'ExitPlanMode', input: { plan: text } });
    await using stage = await openStage({ script: [plan('1. Write the cache'), plan('1. Read first'), say('done')] });
    const run = stage.claude('go', { claude: ['--permission-mode', 'plan'] });
    await stage.card('1. Write the cache', ({ controls }) => controls.length > 0);
    await stage.answer('Start with this plan?', 'Keep planning');
    const kept = await stage.model.until((request) => request.turn === 2);
    expect(kept.toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('keep planning') }]);
    await stage.card('1. Read first', ({ controls }) => controls.length > 0);
    await stage.answer('Start with this plan?', 'Start');
    const started = await stage.model.until((request) => request.turn === 3);
    expect(started.toolResults).toMatchObject([{ isError: false }]);
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(stage.slack.violations).toEqual([]);
  });

  it('goes on after a wait that timed out, and the card says so', async () => {
    const script = [call(ask('Which database?', 'Postgres', 'SQLite')), say('went on')];
    await using stage = await openStage({ script, questions: '{ wait: 60s }' });
    const run = stage.claude('go');
    const { toolResults } = await stage.model.until(isResult, { within: 90_000 });
    expect(toolResults).toMatchObject([
      { isError: true, text: expect.stringContaining('Nobody answered within 1 minute') },
    ]);
    expect(await run.exit).toMatchObject({ code: 0 });
    const settled = await stage.card('Which database?', ({ controls }) => controls.length === 0);
    expect(textOf(settled)).toContain('Timed out');
    expect(stage.slack.violations).toEqual([]);
  });

  it('refuses a second run on the same token and names the cure', async () => {
    await using stage = await openStage({ script: [call(ask('Which database?', 'Postgres', 'SQLite')), say('done')] });
    const first = stage.claude('go');
    await stage.card('Which database?');
    const second = stage.claude('go');
    expect(await second.exit).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringMatching(
        /Another handraise run .*\(process \d+\) uses the same Slack token.*\n {2}Wait until it ends/,
      ),
    });
    await stage.answer('Which database?', 'SQLite');
    expect(await first.exit).toMatchObject({ code: 0 });
  });

  it('after kill -9 leaves a card that the next run settles', async () => {
    await using stage = await openStage({
      script: [call(ask('Which database?', 'Postgres', 'SQLite')), say('alone then')],
    });
    const killed = stage.claude('go');
    await stage.card('Which database?', ({ controls }) => controls.length > 0);
    killed.signal('SIGKILL');
    await killed.exit;
    // The agent is told that its operator is gone, and goes on.
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('cannot be reached') }]);

    expect(await stage.handraise('run', '--', 'true').exit).toMatchObject({ code: 0, stderr: '' });
    const settled = await stage.card('A question of an earlier run');
    expect(textOf(settled)).toContain('Agent gone');
    expect(settled.controls).toEqual([]);
    await stage.nothingLeft();
    expect(stage.slack.violations).toEqual([]);
  });

  it('keeps chat tokens out of everything it starts (promise: tokens-stay-out)', async () => {
    const print = { name: 'Bash', input: { command: 'env', description: 'print the environment' } };
    await using stage = await openStage({ script: [call(print), say('done')], approves: true });
    const run = stage.claude('go');
    await stage.decide('run env', 'action');
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults[0]?.text).toContain('HANDRAISE_SOCK=');
    expect(toolResults[0]?.text).not.toMatch(/xoxb|xapp|SLACK_|HANDRAISE_CONFIG/);
    expect(await run.exit).toMatchObject({ code: 0 });
  });

  it('keeps the user’s own MCP servers, tools and system prompt', async () => {
    await using stage = await openStage({ script: [say('done')] });
    const run = stage.claude('go', {
      claude: [
        '--append-system-prompt',
        'Be brief.',
        '--allowedTools',
        'Read',
        '--disallowedTools',
        'Bash',
        'WebFetch',
      ],
    });
    const { tools, system } = await stage.model.request(1);
    expect(system).toContain(`Be brief.\n\n${ASK_CLAUSE}`);
    expect(tools).toContain('mcp__operator__ask');
    for (const denied of ['Bash', 'WebFetch', 'AskUserQuestion']) expect(tools).not.toContain(denied);
    expect(await run.exit).toMatchObject({ code: 0 });
  });
});

/** Waits until the run says that a call joined an open question. */
async function joined({ workplace }: Stage): Promise<void> {
  const state = join(workplace.home, '.local/state/handraise');
  const logs = () =>
    readdirSync(state, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('handraise.log'))
      .map((name) => readFileSync(join(state, name), 'utf8'))
      .join('');
  await expect.poll(logs, { timeout: 30_000 }).toContain('joins the open question');
}

/** Cards that were posted with this text. */
function postsOf({ slack }: Stage, text: string): number {
  const posts = slack.calls.filter(({ method }) => method === 'chat.postMessage');
  return posts.filter(({ args }) => JSON.stringify(args).includes(text)).length;
}
