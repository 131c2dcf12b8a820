import { describe, expect, test } from 'vitest';
import { createDiscordAdapter } from '../../../../adapters/discord/index.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type { InboxEntry } from '../../../../src/core/ports/surface-adapter.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import type { DiscordDouble, ScreenMessage } from '../../../doubles/discord/index.ts';
import { recordingHost } from '../../../support/recording-host.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const DEADLINE = Date.UTC(2026, 7, 3, 10, 5);

function entry(stage: Stage, asked = 'Which database?'): InboxEntry {
  const view = questionView('request-1', SESSION, batchOf(question(asked, ['Postgres', 'SQLite'])));
  const { channel, discord } = stage;
  const card = { channel, workspaceId: discord.guild.id, message: '1234567890123456789', thread: '987654321098765432' };
  return { view, deadline: DEADLINE, card: { platform: 'discord', ...card } };
}

const known = ({ calls }: DiscordDouble) =>
  calls.filter(({ method }) => method === 'create_application_command' || method.startsWith('bulk_set'));
const registered = ({ log }: Pick<Stage, 'log'>) =>
  expect.poll(() => JSON.stringify(log.lines)).toContain('a command was made known to Discord');
const answer = (stage: Stage, text: string, user = stage.ana): Promise<ScreenMessage> =>
  stage.discord.until(user, stage.channel, (screen) =>
    screen.messages.find((message) => message.command === 'pending' && message.notification.includes(text)),
  );

async function ready(): Promise<Stage> {
  const stage = await openStage();
  await registered(stage);
  return stage;
}

describe('/pending', () => {
  test('lists in private what is open, with a link to each card', async () => {
    const stage = await ready();
    stage.host.open = { entries: [entry(stage)], more: 3 };
    const used = stage.discord.user(stage.ana).command(stage.channel, 'pending');
    expect(await used.settled).toMatchObject({ kind: 'acked', type: 5 });
    const list = await answer(stage, 'Which database?');
    expect(list).toMatchObject({ ephemeral: true, thinking: false });
    expect(list.notification).toContain('4 questions wait for you.');
    expect(list.notification).toContain('claude-code · api (main) · started by ana@laptop');
    expect(list.notification).toContain('3 more are open');
    const { id } = stage.discord.guild;
    expect(list.controls.map(({ url }) => url)).toEqual([
      `https://discord.com/channels/${id}/987654321098765432/1234567890123456789`,
    ]);
    expect(stage.discord.screen(stage.ben, stage.channel).messages).toEqual([]);
  });

  test('is answered before anything is looked up', async () => {
    const stage = await ready();
    stage.host.inboxGate = new Promise(() => undefined);
    const used = stage.discord.user(stage.ana).command(stage.channel, 'pending');
    expect(await used.settled).toMatchObject({ kind: 'acked', type: 5 });
  });

  test('judges whoever used it by what Discord says of them', async () => {
    const stage = await ready();
    const role = stage.discord.guild.addRole({ name: 'answers' }).id;
    const newcomer = stage.discord.guild.addMember({ name: 'nora', pending: true, roles: [role] }).id;
    stage.host.open = { refused: 'Guests may not *answer*.' };
    stage.discord.user(newcomer).command(stage.channel, 'pending');
    await answer(stage, 'Guests may not *answer*.', newcomer);
    expect(stage.host.inboxes[0]?.actor).toMatchObject({
      platform: 'discord',
      workspaceId: stage.discord.guild.id,
      userId: newcomer,
      standing: 'guest',
      roles: [role],
    });
  });

  test('has no markup, mention or hidden character of the agent’s', async () => {
    const stage = await ready();
    const poisoned = entry(stage, '@everyone **bold** [here](https://evil.example) <@1> a\u202Eb');
    const session = { ...SESSION, branch: '@here', program: '`x`' };
    stage.host.open = { entries: [{ ...poisoned, view: { ...poisoned.view, session } }], more: 0 };
    stage.discord.user(stage.ana).command(stage.channel, 'pending');
    await answer(stage, '@everyone **bold** [here](https://evil.example) <@1> a⟨U+202E⟩b');
    expect(stage.discord.mentions).toEqual([]);
  });

  test('is answered by one of several gateways, and the others are silent', async () => {
    const stage = await ready();
    const { discord, host } = stage;
    const hosts = [host, recordingHost(), recordingHost()];
    const log = recordingLog();
    const others = hosts.slice(1).map((other) => ({
      other,
      adapter: createDiscordAdapter(
        { botToken: discord.botToken, apiUrl: discord.apiUrl },
        { clock: systemClock, log, identifyEveryMs: 0 },
      ),
    }));
    for (const { adapter, other } of others) await adapter.start(other);
    for (const one of hosts) one.open = { entries: [entry(stage)], more: 0 };
    const used = discord.user(stage.ana).command(stage.channel, 'pending');
    expect(await used.settled).toMatchObject({ kind: 'acked' });
    await answer(stage, 'Which database?');
    await Promise.all(others.map(({ adapter }) => adapter.stop(1_000)));
    expect(discord.calls.filter(({ method }) => method === 'create_interaction_response')).toHaveLength(3);
    expect(hosts.flatMap(({ inboxes }) => inboxes)).toHaveLength(1);
    expect(discord.screen(stage.ana, stage.channel).messages).toHaveLength(1);
    expect([...stage.log.lines, ...log.lines].filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('that cannot be shown is logged, and works the next time', async () => {
    const stage = await ready();
    stage.discord.faults.api('update_original_webhook_message', { kind: 'status', status: 503 });
    stage.discord.user(stage.ana).command(stage.channel, 'pending');
    await expect.poll(() => JSON.stringify(stage.log.lines)).toContain('what is open could not be shown');
    stage.discord.user(stage.ana).command(stage.channel, 'pending');
    await answer(stage, 'Nothing waits for you.');
  });
});

describe('making /pending known', () => {
  test('is done once, also by the next start', async () => {
    const stage = await ready();
    const log = recordingLog();
    const next = createDiscordAdapter(
      { botToken: stage.discord.botToken, apiUrl: stage.discord.apiUrl },
      { clock: systemClock, log, identifyEveryMs: 0 },
    );
    await next.start(recordingHost());
    await next.stop(1_000);
    expect(known(stage.discord)).toHaveLength(1);
    expect(stage.discord.calls.filter(({ method }) => method === 'list_application_commands')).toHaveLength(2);
  });

  test('leaves other commands alone, and brings an old one up to date', async () => {
    const stage = await openStage({ start: false });
    const { discord, adapter, host } = stage;
    const put = await fetch(`${discord.apiUrl}/v10/applications/${discord.applicationId}/commands`, {
      method: 'PUT',
      headers: { authorization: `Bot ${discord.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify([
        { name: 'pending', description: 'Of an older version' },
        { name: 'deploy', description: 'Somebody else’s' },
      ]),
    });
    expect(put.status).toBe(200);
    await adapter.start(host);
    await registered(stage);
    expect(() => discord.user(stage.ana).command(discord.openDm(stage.ana), 'pending')).toThrow(/no command/);
    discord.user(stage.ana).command(stage.channel, 'pending');
    await answer(stage, 'Nothing waits for you.');
    discord.user(stage.ana).command(stage.channel, 'deploy');
    const told = await discord.until(stage.ana, stage.channel, (screen) =>
      screen.messages.find((message) => message.command === 'deploy'),
    );
    expect(told).toMatchObject({ ephemeral: true, notification: expect.stringContaining('another version') });
  });

  test('may fail: questions are asked and answered without it', async () => {
    const stage = await openStage({ start: false });
    stage.discord.faults.api('create_application_command', { kind: 'error', code: 50001 });
    await stage.adapter.start(stage.host);
    await expect.poll(() => JSON.stringify(stage.log.lines)).toContain('a command could not be made known');
    await stage.post(batchOf(question('Which?', ['A', 'B'])));
    expect(stage.adapter.health().connected).toBe(true);
  });
});

describe('which channels somebody sees', () => {
  test('follows roles and what the channel says of them, at every use anew', async () => {
    const stage = await ready();
    const { guild } = stage.discord;
    const staff = guild.addRole({ name: 'staff' }).id;
    const inner = guild.addChannel({ name: 'inner', only: [staff] }).id;
    const bens = guild.addChannel({ name: 'bens', only: [stage.ben] }).id;
    const banned = guild.addChannel({ name: 'banned' }).id;
    guild.permit(banned, stage.ana, { deny: ['view_channel'] });
    const gone = guild.addChannel({ name: 'gone' }).id;
    guild.deleteChannel(gone);
    const open = guild.addChannel({ name: 'open' }).id;
    const all = [stage.channel, inner, bens, banned, gone, open];
    const seenBy = async (user: string) => {
      const count = stage.host.inboxes.length;
      await stage.discord.user(user).command(stage.channel, 'pending').settled;
      await expect.poll(() => stage.host.inboxes.length).toBe(count + 1);
      return stage.host.inboxes.at(-1)?.seen(all);
    };
    expect(await seenBy(stage.ana)).toEqual(new Set([stage.channel, open]));
    guild.giveRole(stage.ana, staff);
    expect(await seenBy(stage.ana)).toEqual(new Set([stage.channel, inner, open]));
    expect(await seenBy(stage.ben)).toEqual(new Set([stage.channel, bens, banned, open]));
    // Of a channel that is gone nobody can be told more than that they see everything there is.
    expect(await seenBy(guild.ownerId)).toEqual(new Set(all));
  });

  test('cannot be told while Discord does not answer', async () => {
    const stage = await ready();
    stage.discord.user(stage.ana).command(stage.channel, 'pending');
    await answer(stage, 'Nothing waits for you.');
    stage.discord.faults.api('list_guild_roles', { kind: 'status', status: 503 });
    await expect(stage.host.inboxes[0]?.seen([stage.channel])).rejects.toMatchObject({ code: 'surface' });
  });
});
