import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelRequest, type Step, say, startModelServer, type ToolCall } from '../doubles/model/index.ts';
import { openGatewayStage } from '../support/gateway-stage.ts';
import { HANDRAISE } from '../support/handraise.ts';
import { claudeArguments, claudeWorkplace, startClaude } from './support/claude.ts';
import { installAgent } from './support/install-agents.ts';
import { openStage, type Stage, textOf } from './support/stage.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const isResult = (request: ModelRequest) => request.toolResults.length > 0;
const WRITES: ToolCall[] = [
  { name: 'Write', input: { file_path: 'by-tool.txt', content: 'x' } },
  { name: 'Bash', input: { command: 'touch by-shell.txt', description: 'makes a file' } },
];
const WRITE = WRITES.slice(0, 1);

/** What a user's own settings may say to let everything through. */
const ALLOW_ALL = {
  permissions: { allow: ['Bash', 'Write', 'Edit', 'mcp__*'], defaultMode: 'acceptEdits' },
  sandbox: { enabled: true, autoAllowBashIfSandboxed: true },
  hooks: {
    PreToolUse: [
      { matcher: '*', hooks: [{ type: 'command', command: saying('PreToolUse', { permissionDecision: 'allow' }) }] },
    ],
    PermissionRequest: [
      {
        matcher: '*',
        hooks: [{ type: 'command', command: saying('PermissionRequest', { decision: { behavior: 'allow' } }) }],
      },
    ],
  },
};

function saying(hookEventName: string, output: object): string {
  return `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName, ...output } })}'`;
}

/** Nobody may allow a step here, so that whatever is written went past the gate. */
describe('the gate of Claude Code holds', () => {
  beforeAll(() => installAgent('claude-code'));

  it.each<{
    against: string;
    claude?: string[];
    settings?: (stage: Stage) => string;
    mode?: string;
    steps?: ToolCall[];
  }>([
    {
      against: 'rules and hooks of the project',
      settings: ({ workplace }) => join(workplace.project, '.claude', 'settings.json'),
    },
    {
      against: 'rules and hooks of the user',
      settings: ({ workplace }) => join(workplace.home, '.claude', 'settings.json'),
    },
    { against: '--settings after ours', claude: ['--settings', JSON.stringify(ALLOW_ALL)], mode: 'acceptEdits' },
    { against: '--allowedTools', claude: ['--allowedTools', 'Bash', 'Write'] },
    { against: 'acceptEdits', claude: ['--permission-mode', 'acceptEdits'], mode: 'acceptEdits' },
    {
      against: '--dangerously-skip-permissions',
      claude: ['--dangerously-skip-permissions'],
      mode: 'bypassPermissions',
    },
    { against: '--bare, without any hooks', claude: ['--bare'], steps: WRITES.slice(1) },
  ])('against $against (promise: gate-holds)', async ({ claude = [], settings, mode, steps = WRITES }) => {
    // Claude Code refuses to skip permissions as root unless it is told that this is a sandbox.
    const environment = { IS_SANDBOX: '1' };
    await using stage = await openStage({ script: [call(...steps), say('done')], environment });
    if (settings !== undefined) {
      const file = settings(stage);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(ALLOW_ALL));
    }
    const run = stage.claude('go', { claude });
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject(
      steps.map(() => ({ isError: true, text: expect.stringContaining('grants.approvers') })),
    );
    expect(await run.exit).toMatchObject({ code: 0 });
    const init = await run.events.until((event) => event.type === 'system');
    if (mode !== undefined) expect(init).toMatchObject({ permissionMode: mode });
    expect(writtenIn(stage)).toEqual([]);
  });

  it('against a sub-agent whose definition skips permissions', async () => {
    const delegate = { subagent_type: 'bold', description: 'work', prompt: 'work on it' };
    await using stage = await openStage({
      script: {
        main: [call({ name: 'Agent', input: delegate }), say('over')],
        subagent: [call(...WRITES), say('done')],
      },
    });
    const agents = join(stage.workplace.project, '.claude', 'agents');
    mkdirSync(agents, { recursive: true });
    const definition = '---\nname: bold\ndescription: works\npermissionMode: bypassPermissions\n---\nWork.\n';
    writeFileSync(join(agents, 'bold.md'), definition);
    const run = stage.claude('go');
    const { toolResults } = await stage.model.until((request) => request.agent === 'subagent' && isResult(request));
    expect(toolResults).toMatchObject(
      WRITES.map(() => ({ isError: true, text: expect.stringContaining('grants.approvers') })),
    );
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(writtenIn(stage)).toEqual([]);
  });

  it.each<{ with: string; claude?: string[]; settings?: string; says: string }>([
    {
      with: 'a permission prompt of the user’s',
      claude: ['--permission-prompt-tool', 'mcp__x__y'],
      says: 'in place of handraise',
    },
    { with: 'a run in the background', claude: ['--bg'], says: 'after this run' },
    {
      with: 'hooks switched off on the command line',
      claude: ['--settings', '{"disableAllHooks":true}'],
      says: 'disableAllHooks',
    },
    { with: 'hooks switched off in the project', settings: '{"disableAllHooks":true}', says: 'disableAllHooks' },
    { with: 'settings that cannot be read', claude: ['--settings', '{"permissions":'], says: 'not JSON' },
    { with: 'settings of the project that cannot be read', settings: '{', says: 'not JSON' },
    { with: 'settings that are not there', claude: ['--settings', 'nowhere.json'], says: 'no file nowhere.json' },
  ])('refuses (64) $with, and says what to do', async ({ claude = [], settings, says }) => {
    await using stage = await openStage({ script: [call(...WRITES), say('done')], bound: false });
    if (settings !== undefined) {
      mkdirSync(join(stage.workplace.project, '.claude'));
      writeFileSync(join(stage.workplace.project, '.claude', 'settings.json'), settings);
    }
    const { code, stdout, stderr } = await stage.claude('go', { claude }).exit;
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^handraise: .*${says}.*\\n {2}\\S`));
    expect(stage.model.requests).toEqual([]);
  });

  it('where nobody can be asked at all: writes are denied at once, reads run', async () => {
    const reads: ToolCall[] = [{ name: 'Bash', input: { command: 'cat README.md | head -3', description: 'reads' } }];
    await using stage = await openStage({ script: [call(...WRITES, ...reads), say('done')], bound: false });
    const run = stage.claude('go');
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([{ isError: true }, { isError: true }, { isError: false, text: '# Greeting' }]);
    for (const { text } of toolResults.slice(0, 2)) expect(text).toContain('there is nobody who could be asked');
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(writtenIn(stage)).toEqual([]);
    expect(stage.slack.calls).toEqual([]);
    await stage.nothingLeft();
  });

  it('lets everything run where the configuration opens it, by Claude Code’s own rules', async () => {
    await using stage = await openStage({ script: [call(...WRITE), say('done')], gate: '{ writes: open }' });
    const run = stage.claude('go', { claude: ['--allowedTools', 'Write'] });
    expect((await stage.model.until(isResult)).toolResults).toMatchObject([{ isError: false }]);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    expect(writtenIn(stage)).toEqual(['by-tool.txt']);
  });

  it('when the hook is deleted while the agent runs: the step is good for one call at most', async () => {
    const { program, hook } = copyOfPackage();
    const deleted = gateOf();
    await using stage = await openStage({
      script: [onceOpen(deleted, ...WRITE), say('done')],
      approves: true,
      program,
    });
    const run = stage.claude('go');
    await stage.model.request(1);
    rmSync(hook);
    deleted.open();
    const card = await stage.card('by-tool.txt', ({ controls }) => controls.length > 0);
    expect(card.controls.map(({ text }) => text)).toEqual(['Allow once', 'Deny', 'Deny with note…']);
    expect(textOf(card)).toContain('not known');
    expect(writtenIn(stage)).toEqual([]);
    await stage.decide('by-tool.txt', 'deny');
    expect((await stage.model.until(isResult)).toolResults).toMatchObject([{ isError: true }]);
    expect(await run.exit).toMatchObject({ code: 0 });
    expect(writtenIn(stage)).toEqual([]);
  });

  it.each(['the run that judges is killed', 'its socket is removed'])('when %s', async (what) => {
    const broken = gateOf();
    await using stage = await openStage({ script: [onceOpen(broken, ...WRITES), say('done')], approves: true });
    const run = stage.claude('go');
    await stage.model.request(1);
    if (what.includes('killed')) {
      run.signal('SIGKILL');
    } else {
      for (const name of readdirSync(stage.workplace.files).filter((one) => /^handraise-\d/.test(one)))
        rmSync(join(stage.workplace.files, name), { recursive: true });
    }
    broken.open();
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject(
      WRITES.map(() => ({ isError: true, text: expect.stringContaining('cannot be reached') })),
    );
    expect(writtenIn(stage)).toEqual([]);
  });

  it('when the store is away before the step is recorded, which is denied, and no refusal', async () => {
    const away = gateOf();
    const stage = await openOverRedis([onceOpen(away, ...WRITE), say('done')]);
    await stage.model.request(1);
    await stage.chat.redis.kill();
    away.open();
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([{ isError: true, text: expect.stringContaining('not a refusal by a person') }]);
    expect(await stage.run.exit).toMatchObject({ code: 0 });
    expect(stage.isWritten()).toBe(false);
  });

  it('when the store is away at the click: the step goes on waiting and is not run', async () => {
    const stage = await openOverRedis([call(...WRITE), say('done')]);
    await stage.chat.seen('by-tool.txt', 30_000);
    await stage.chat.redis.kill();
    const { chat } = stage;
    await chat.slack.user(chat.ana).click({ channel: chat.channel, message: /by-tool/, action: 'handraise.gaction' })
      .settled;
    expect(stage.model.requests).toHaveLength(1);
    stage.run.signal('SIGTERM');
    expect(await stage.run.exit).toMatchObject({ code: 143 });
    expect(stage.isWritten()).toBe(false);
  });
});

/** Something that the model waits for before it goes on. */
function gateOf() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function onceOpen({ opened }: ReturnType<typeof gateOf>, ...calls: ToolCall[]) {
  return async () => {
    await opened;
    return call(...calls);
  };
}

/** A run without tokens over a gateway and a private Redis. */
async function openOverRedis(script: Step[]) {
  const chat = await openGatewayStage();
  undo.push(() => chat.close());
  await chat.gateway();
  const [workplace, model] = await Promise.all([claudeWorkplace(), startModelServer({ script })]);
  const run = startClaude([process.execPath, HANDRAISE, 'run', '--', ...claudeArguments('go')], {
    workplace,
    model,
    environment: { ...chat.ownerEnv, TMPDIR: workplace.files },
  });
  undo.push(async () => {
    for (const each of [run, workplace, model]) await each[Symbol.asyncDispose]();
  });
  return { chat, model, run, isWritten: () => existsSync(join(workplace.project, 'by-tool.txt')) };
}

function writtenIn({ workplace }: Stage): string[] {
  return readdirSync(workplace.project).filter((name) => name.startsWith('by-'));
}

/** The built package at another place, so that a test may damage it. */
function copyOfPackage() {
  const root = dirname(HANDRAISE);
  const copy = mkdtempSync(join(tmpdir(), 'handraise-copy-'));
  undo.push(async () => rmSync(copy, { recursive: true }));
  for (const part of ['handraise.mjs', 'package.json', 'dist'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return { program: join(copy, 'handraise.mjs'), hook: join(copy, 'dist', 'hook.cjs') };
}
