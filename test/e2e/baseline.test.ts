import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelRequest, type Script, say, startModelServer } from '../doubles/model/index.ts';
import { claudeArguments, claudeWorkplace, startClaude } from './support/claude.ts';
import { installAgent } from './support/install-agents.ts';
import { Operator, type OperatorOptions } from './support/operator.ts';
import { descendantsOf, noneLeft, processesWith } from './support/process-tree.ts';

const ASK = 'mcp__operator__ask';
const ask = (question: string) => ({ name: ASK, input: { question } });
const NEVER = new Promise(() => {});
const isResult = (request: ModelRequest) => request.toolResults.length > 0;

/** What handraise takes for granted about Claude Code; when one of these fails, a new version changed the ground. */
describe('Claude Code', () => {
  beforeAll(() => installAgent('claude-code'));

  it('says what the model says and ends with 0', async () => {
    await using stage = await setUp([say('hello yourself')]);
    const run = stage.claude('hello');
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(await run.events.until((event) => event.type === 'result')).toMatchObject({
      subtype: 'success',
      result: 'hello yourself',
    });
    expect(stage.model.requests).toHaveLength(1);
  });

  it('calls an allowed ask with its tool-use id and hands the answer to the model', async () => {
    await using stage = await setUp([call(ask('Ship it?')), say('done')]);
    const run = stage.claude('go', '--allowedTools', ASK);
    const asked = await stage.operator.asked('Ship it?');
    expect(asked.params._meta).toMatchObject({ 'claudecode/toolUseId': 'toolu_1_0' });
    stage.operator.answer(asked, 'Yes, ship it.');
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toEqual([{ toolUseId: 'toolu_1_0', text: 'Yes, ship it.', isError: false }]);
    expect(await run.exit).toMatchObject({ code: 0 });
  });

  it('never calls an ask that is not allowed, and goes on', async () => {
    await using stage = await setUp([call(ask('Ship it?')), say('then not')]);
    const run = stage.claude('go');
    expect((await stage.model.until(isResult)).toolResults).toMatchObject([{ isError: true }]);
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(stage.operator.questions).toEqual([]);
    const result = await run.events.until((event) => event.type === 'result');
    expect(result.permission_denials).toMatchObject([{ tool_name: ASK }]);
  });

  it('makes two calls of one message at the same time when the tool is read-only', async () => {
    await using stage = await setUp([call(ask('First?'), ask('Second?')), say('done')]);
    const run = stage.claude('go', '--allowedTools', ASK);
    const [first, second] = [await stage.operator.asked('First?'), await stage.operator.asked('Second?')];
    stage.operator.answer(second, 'two');
    stage.operator.answer(first, 'one');
    const { toolResults } = await stage.model.until(isResult);
    // In no promised order (the one answered first stood first): the id says which is which.
    expect(Object.fromEntries(toolResults.map(({ toolUseId, text }) => [toolUseId, text]))).toEqual({
      toolu_1_0: 'one',
      toolu_1_1: 'two',
    });
    expect(await run.exit).toMatchObject({ code: 0 });
  });

  it('makes them one after the other when it is not', async () => {
    await using stage = await setUp([call(ask('First?'), ask('Second?')), say('done')], { readOnlyHint: false });
    const run = stage.claude('go', '--allowedTools', ASK);
    const first = await stage.operator.asked('First?');
    // Long enough for a concurrent call, which comes in the same millisecond.
    await delay(500);
    expect(stage.operator.questions).toEqual(['First?']);
    stage.operator.answer(first, 'one');
    stage.operator.answer(await stage.operator.asked('Second?'), 'two');
    expect(await run.exit).toMatchObject({ code: 0 });
  });

  it('sends the ask of a sub-agent over the connection of the main agent', async () => {
    const delegate = { subagent_type: 'general-purpose', description: 'look', prompt: 'ask for the colour' };
    await using stage = await setUp({
      main: [call(ask('From the main agent?')), call({ name: 'Agent', input: delegate }), say('done')],
      subagent: [call(ask('From the sub-agent?')), say('the colour is blue')],
    });
    const run = stage.claude('go', '--allowedTools', ASK);
    const main = await stage.operator.asked('From the main agent?');
    stage.operator.answer(main, 'ok');
    const sub = await stage.operator.asked('From the sub-agent?');
    expect(sub.connection).toBe(main.connection);
    stage.operator.answer(sub, 'blue');
    const heard = await stage.model.until((request) => request.agent === 'subagent' && isResult(request));
    expect(heard.toolResults).toMatchObject([{ text: 'blue', toolUseId: sub.params._meta?.['claudecode/toolUseId'] }]);
    expect(await run.exit).toMatchObject({ code: 0 });
    const report = stage.model.requests.at(-1);
    expect(report).toMatchObject({ agent: 'main', toolResults: [{ text: expect.stringContaining('blue') }] });
  });

  it('cancels the ask on SIGINT, ends with 0 and leaves no process behind', async () => {
    await using stage = await setUp([call(ask('Ship it?'))]);
    const run = stage.claude('go', '--allowedTools', ASK);
    const { id, connection } = await stage.operator.asked('Ship it?');
    expect(await descendantsOf(run.pid)).toMatchObject([{ command: expect.stringContaining('operator-server') }]);
    run.signal('SIGINT');
    expect(await run.exit).toMatchObject({ code: 0, signal: null });
    await stage.operator.events.until((event) => event.kind === 'end' && event.connection === connection);
    expect(stage.operator.events.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'signal', name: 'SIGINT' }),
        expect.objectContaining({
          method: 'notifications/cancelled',
          params: expect.objectContaining({ requestId: id }),
        }),
        expect.objectContaining({ kind: 'end', why: 'SIGTERM' }),
      ]),
    );
    expect(await run.events.until((event) => event.type === 'result')).toMatchObject({
      subtype: 'error_during_execution',
      terminal_reason: 'aborted_tools',
    });
    await noneLeft(() => processesWith('HOME', stage.workplace.home));
  });

  it.each([
    // Its server gone, it tells the model so and runs one more turn before it leaves.
    { signal: 'SIGTERM', exit: { code: 143, signal: null }, why: 'SIGTERM' },
    { signal: 'SIGKILL', exit: { code: null, signal: 'SIGKILL' }, why: 'stdin closed' },
  ] as const)('takes its MCP server along on $signal', async ({ signal, exit, why }) => {
    await using stage = await setUp([call(ask('Ship it?')), say('bye')]);
    const run = stage.claude('go', '--allowedTools', ASK);
    await stage.operator.asked('Ship it?');
    run.signal(signal);
    expect(await run.exit).toMatchObject(exit);
    expect(await stage.operator.events.until((event) => event.kind === 'end')).toMatchObject({ why });
    await noneLeft(() => processesWith('HOME', stage.workplace.home));
  });

  it.each([
    { seconds: 3, environment: {} },
    { seconds: 7, environment: { MCP_CONNECT_TIMEOUT_MS: '30000' } },
  ])(
    'waits $seconds s for a server marked alwaysLoad before the first model request, with $environment',
    async ({ seconds, environment }) => {
      const options = { ready: () => delay(seconds * 1_000), entry: { alwaysLoad: true } };
      await using stage = await setUp([say('done')], options, environment);
      const run = stage.claude('go', '--allowedTools', ASK);
      expect((await stage.model.request(1)).tools).toContain(ASK);
      expect(await run.exit).toMatchObject({ code: 0 });
    },
  );

  it('starts without a server that is slow and not marked', async () => {
    await using stage = await setUp([say('done')], { ready: () => NEVER });
    const run = stage.claude('go', '--allowedTools', ASK);
    expect((await stage.model.request(1)).tools).not.toContain(ASK);
    expect(await run.exit).toMatchObject({ code: 0 });
  });

  it.each([
    { flags: [], offered: true },
    { flags: ['--disallowedTools', 'AskUserQuestion'], offered: false },
  ])('beside a permission prompt tool and $flags offers AskUserQuestion: $offered', async ({ flags, offered }) => {
    await using stage = await setUp([say('done')]);
    const run = stage.claude('go', '--permission-prompt-tool', 'mcp__operator__approve', ...flags);
    const { tools } = await stage.model.request(1);
    expect(tools.includes('AskUserQuestion')).toBe(offered);
    expect(await run.exit).toMatchObject({ code: 0 });
  });
});

async function setUp(script: Script, options: OperatorOptions = {}, environment: Record<string, string> = {}) {
  const workplace = await claudeWorkplace();
  const operator = await Operator.start(workplace, options);
  const model = await startModelServer({ script });
  const runs: ReturnType<typeof startClaude>[] = [];
  return {
    workplace,
    operator,
    model,
    claude: (prompt: string, ...flags: string[]) => {
      const run = startClaude(claudeArguments(prompt, ...operator.flags, ...flags), { workplace, model, environment });
      runs.push(run);
      return run;
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [...runs, workplace, operator, model]) await each[Symbol.asyncDispose]();
    },
  };
}
