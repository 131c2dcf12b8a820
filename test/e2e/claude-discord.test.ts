import { beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelRequest, say, startModelServer } from '../doubles/model/index.ts';
import { type DiscordChannel, openDiscordChannel } from '../support/discord-channel.ts';
import { openGatewayStage } from '../support/gateway-stage.ts';
import { HANDRAISE } from '../support/handraise.ts';
import { claudeArguments, claudeWorkplace, startClaude } from './support/claude.ts';
import { installAgent } from './support/install-agents.ts';
import { ask, openStage, textOf } from './support/stage.ts';

const isResult = (request: ModelRequest) => request.toolResults.length > 0;

/** Real Claude Code, the real bridge, discord.js and Bolt; the model, Discord and Slack are played. */
describe('Claude Code asks on Discord and on Slack', () => {
  beforeAll(() => installAgent('claude-code'));

  it('gets a person’s click on Discord as the result of its tool call, and Slack’s card settles', async () => {
    await using discord = await openDiscordChannel();
    await using stage = await openStage({
      script: [call(ask('Which database?', 'Postgres', 'SQLite')), say('SQLite it is')],
      discord,
    });
    const run = stage.claude('go');
    await discord.press('Which database?', 'SQLite');
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([
      { toolUseId: 'toolu_1_0', isError: false, text: expect.stringContaining('"Which database?":"SQLite"') },
    ]);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    const { message } = await discord.card('Answered', ({ controls }) => controls.length === 0);
    expect(message.notification).toMatch(/by Ana/);
    const slackCard = await stage.card('Which database?', ({ controls }) => controls.length === 0);
    expect(textOf(slackCard)).toMatch(/Answered.*Ana/);
    await stage.nothingLeft();
    expect(stage.slack.violations).toEqual([]);
  });

  it('gets both answers of a batch that a person filled in step by step on the card', async () => {
    await using discord = await openDiscordChannel();
    await using stage = await openStage({ script: [call(batch), say('done')], discord });
    const run = stage.claude('go');
    await answerBoth(discord);
    const { toolResults } = await stage.model.until(isResult);
    expect(toolResults).toMatchObject([{ isError: false, text: expect.stringContaining(BOTH) }]);
    expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
    await discord.card('Answered', ({ controls }) => controls.length === 0);
    expect(stage.slack.violations).toEqual([]);
  });

  it('gets its answer from Discord through a gateway and Redis, in a run that has no token', async () => {
    await using discord = await openDiscordChannel();
    const stage = await openGatewayStage({}, discord);
    await using model = await startModelServer({ script: [call(batch), say('done')] });
    await using workplace = await claudeWorkplace();
    try {
      await stage.gateway();
      await using run = startClaude([process.execPath, HANDRAISE, 'run', '--', ...claudeArguments('go')], {
        workplace,
        model,
        environment: { ...stage.ownerEnv, TMPDIR: workplace.files },
      });
      await answerBoth(discord);
      expect((await model.until(isResult)).toolResults).toMatchObject([
        { isError: false, text: expect.stringContaining(BOTH) },
      ]);
      expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
      await discord.card('Answered', ({ controls }) => controls.length === 0);
      await stage.seen('Answered', 20_000);
      expect(stage.slack.violations).toEqual([]);
    } finally {
      await stage.close();
    }
  });
});

const batch = {
  name: 'mcp__operator__ask',
  input: {
    questions: [
      ...ask('Which database?', 'Postgres', 'SQLite').input.questions,
      ...ask('Which host?', 'Hetzner', 'Fly').input.questions,
    ],
  },
};

const BOTH = '{"Which database?":"Postgres","Which host?":"Hetzner"}';

async function answerBoth(discord: DiscordChannel): Promise<void> {
  await discord.press('Which database?', 'Answer…');
  await discord.choose('Which database?', 'Postgres');
  await discord.press('is answering 1/2', 'Next');
  await discord.choose('Which host?', 'Hetzner');
  await discord.press('Which host?', 'Send (2 of 2)');
}
