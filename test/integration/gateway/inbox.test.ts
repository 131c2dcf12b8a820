import { describe, expect, test } from 'vitest';
import { embeddedOnDiscord } from '../../support/embedded-discord.ts';
import { type EmbeddedSlack, embeddedOnSlack } from '../../support/embedded-slack.ts';
import { choice, openGatewayStage } from '../../support/gateway-stage.ts';
import { batchOf, question } from '../../support/requests.ts';

const database = batchOf(question('Which database?', ['Postgres', 'SQLite'], { header: 'Database' }));

/** Opens the Home tab and waits for what it says. */
async function home({ slack, channel }: Pick<EmbeddedSlack, 'slack' | 'channel'>, user: string) {
  const shown = slack.next('view', (view) => view.user === user);
  slack.user(user).openHome();
  await shown;
  const { home: drawn } = slack.screen(user, channel);
  return { text: JSON.stringify(drawn?.blocks), links: drawn?.controls.flatMap(({ url }) => url ?? []) ?? [] };
}

describe('a question that was missed', () => {
  test('is found again in Slack’s Home tab, and is gone from there once answered (promise: found-again)', async () => {
    await using stage = await embeddedOnSlack();
    const asked = stage.ask(database);
    const card = await stage.card('Which database?');
    const { text, links } = await home(stage, stage.ana);
    expect(text).toContain('Database: Which database?');
    expect(links).toEqual([expect.stringContaining(`/archives/${stage.channel}/p${card.ts.replace('.', '')}?`)]);
    await stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'SQLite' }).settled;
    expect(await asked).toBe('answered');
    await stage.slack.user(stage.ana).click({ where: 'home', label: 'Refresh' }).settled;
    await stage.slack.until(stage.ana, stage.channel, (screen) =>
      JSON.stringify(screen.home).includes('Nothing waits for you.'),
    );
  });

  test('is listed in Slack for nobody who may not answer it or is not in its channel', async () => {
    await using stage = await embeddedOnSlack();
    const { workspace } = stage.slack;
    const guest = workspace.addUser({ name: 'gus', is_restricted: true }).id;
    const outsider = workspace.addUser({ name: 'zoe' }).id;
    workspace.join(stage.channel, guest);
    const leaving = new AbortController();
    const asked = stage.ask(database, leaving.signal);
    await stage.card('Which database?');
    expect((await home(stage, guest)).text).toContain('Guests may not answer');
    const { text, links } = await home(stage, outsider);
    expect(text).toContain('Nothing waits for you.');
    expect(text).not.toContain('database');
    expect(links).toEqual([]);
    leaving.abort();
    await asked;
  });

  test('is listed for those only whom its binding names', async () => {
    await using stage = await embeddedOnSlack({ owner: { questions: { operators: { slackUsers: ['U404'] } } } });
    const leaving = new AbortController();
    const asked = stage.ask(database, leaving.signal);
    await stage.card('Which database?');
    expect((await home(stage, stage.ana)).text).toContain('Nothing waits for you.');
    leaving.abort();
    await asked;
  });

  test('is found again on Discord by /pending, and by nobody who may not answer it (promise: found-again)', async () => {
    await using stage = await embeddedOnDiscord();
    const { discord, ana, channel } = stage;
    const asked = stage.ask(database);
    const card = await stage.card('Which database?');
    const lobby = discord.guild.addChannel({ name: 'lobby' }).id;
    const outsider = discord.guild.addMember({ name: 'zoe' }).id;
    discord.guild.permit(channel, outsider, { deny: ['view_channel'] });
    const told = async (user: string) => {
      const before = discord.screen(user, lobby).messages.length;
      await discord.user(user).command(lobby, 'pending').settled;
      return discord.until(user, lobby, ({ messages }) => {
        const last = messages.at(-1);
        return messages.length > before && last?.thinking === false ? last : undefined;
      });
    };
    await expect.poll(() => JSON.stringify(stage.log.lines)).toContain('a command was made known');
    const list = await told(ana);
    expect(list.notification).toContain('Database: Which database?');
    const thread = await stage.thread();
    expect(list.controls.map(({ url }) => url)).toEqual([
      `https://discord.com/channels/${discord.guild.id}/${thread}/${card.id}`,
    ]);
    expect((await told(outsider)).notification).toBe('Nothing waits for you.');
    await discord.user(ana).click({ channel: thread, label: 'SQLite' }).settled;
    expect(await asked).toBe('answered');
    expect((await told(ana)).notification).toBe('Nothing waits for you.');
  });

  test('is listed by whichever gateway is left', async () => {
    const stage = await openGatewayStage();
    try {
      const first = await stage.gateway();
      const owner = await stage.owner('session-1');
      const leaving = new AbortController();
      const asked = owner.prompter.ask(choice('Which cache?', 'Redis', 'None'), { signal: leaving.signal });
      await stage.seen('Which cache?');
      await stage.gateway();
      first.kill('SIGKILL');
      await first.done;
      expect((await home(stage, stage.ana)).text).toContain('Which cache?');
      leaving.abort();
      await asked;
    } finally {
      await stage.close();
    }
    expect(stage.slack.violations).toEqual([]);
  }, 120_000);
});
