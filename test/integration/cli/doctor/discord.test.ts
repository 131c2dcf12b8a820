import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createDiscordAdapter } from '../../../../adapters/discord/index.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { acquireTokenLock } from '../../../../src/gateway/token-lock.ts';
import { type DiscordDoubleOptions, startDiscordDouble } from '../../../doubles/discord/index.ts';
import { recordingHost } from '../../../support/recording-host.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { cureOf, type DoctorStage, found, openDoctorStage, wrong } from './stage.ts';

const open = async (options: DiscordDoubleOptions = {}) => {
  const stage = await openDoctorStage();
  const discord = await startDiscordDouble({ rateLimits: false, ...options });
  const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  const channel = discord.guild.addChannel({ name: 'agents' }).id;
  const env = {
    DISCORD_BOT_TOKEN: discord.botToken,
    DISCORD_API_URL: discord.apiUrl,
    HANDRAISE_DISCORD_CHANNEL: channel,
  };
  return { stage, discord, ana, channel, env, left: () => discord.screen(ana, channel).messages.length };
};

let at: Awaited<ReturnType<typeof open>>;
let stage: DoctorStage;
const start = async (options: DiscordDoubleOptions = {}) => {
  at = await open(options);
  stage = at.stage;
};
afterEach(async () => {
  await at.discord.close();
  await stage.close();
});

const inFile = (bindings: string): string => {
  const file = join(stage.desk.home, 'handraise.yaml');
  writeFileSync(file, `bindings:\n${bindings}`, { mode: 0o600 });
  return file;
};
const tokens = () => {
  const { HANDRAISE_DISCORD_CHANNEL: _, ...rest } = at.env;
  return rest;
};

/** What is true of every run without Redis. */
const ALWAYS = 'warn isolation.user';
/** Before anything has connected for the first time. */
const FIRST = 'warn discord.command';

describe('doctor for runs that ask on Discord', () => {
  it('finds a good setup in order, sends a question around, prints the invite link, and leaves nothing', async () => {
    await start();
    const { exitCode, report } = await stage.run(at.env);
    expect(wrong(report.findings)).toEqual([ALWAYS, FIRST]);
    expect(found(report.findings, 'discord.token')).toEqual([
      `ok: Discord knows the bot token: the bot handraise, application ${at.discord.applicationId}.`,
    ]);
    const [invite = ''] = found(report.findings, 'discord.invite');
    const link = new URL(/https:\S+/.exec(invite)?.[0] ?? '');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      client_id: at.discord.applicationId,
      scope: 'bot applications.commands',
      permissions: '309237746688',
    });
    expect(found(report.findings, 'people.answer')).toEqual([
      `ok: bindings[0]: every member who can see ${at.channel} may answer (of about 2).`,
    ]);
    expect(found(report.findings, 'self-test.round-trip')).toEqual([
      expect.stringMatching(/^ok: .*posted.*answered.*settled/),
    ]);
    expect({ exitCode, ok: report.ok, left: at.left() }).toEqual({ exitCode: 0, ok: true, left: 0 });
    expect(report.settings).toContainEqual({
      name: 'discord.botToken',
      value: 'set, not shown',
      origin: 'DISCORD_BOT_TOKEN',
    });
    expect(JSON.stringify(report)).not.toContain(at.discord.botToken);
    expect(at.discord.violations).toEqual([]);
  });

  it('tries both platforms, each by itself, and says which of them fails', async () => {
    await start();
    const both = { ...stage.env, ...at.env };
    const findings = await stage.examine(both);
    expect(found(findings, 'self-test.round-trip')).toEqual([
      expect.stringContaining(`posted to ${stage.channel}`),
      expect.stringContaining(`posted to ${at.channel}`),
    ]);
    expect([stage.left(), at.left()]).toEqual([0, 0]);
    at.discord.breakToken(true);
    const broken = await stage.examine(both);
    expect(wrong(broken)).toEqual([ALWAYS, 'fail discord.token', 'warn self-test.round-trip']);
    expect(found(broken, 'discord.token')).toEqual(['fail: Discord refuses the bot token.']);
    expect(cureOf(broken, 'discord.token')).toContain('DISCORD_BOT_TOKEN');
    expect(found(broken, 'self-test.round-trip')[1]).toMatch(/^warn: Not tried on Discord/);
  });

  it.each([
    ['may not write', { deny: ['send_messages'] as const }, /lacks in this channel: Send Messages\.$/],
    [
      'may neither open threads nor attach files',
      { deny: ['create_public_threads', 'attach_files'] as const },
      /lacks in this channel: Create Public Threads, Attach Files\.$/,
    ],
    ['cannot read what is there', { deny: ['read_message_history'] as const }, /lacks.*: Read Message History\.$/],
  ])('names what is missing where the bot %s', async (_, what, reason) => {
    await start();
    at.discord.guild.permit(at.channel, at.discord.botUserId, what);
    const findings = await stage.examine(at.env);
    expect(wrong(findings)).toEqual([ALWAYS, FIRST, 'fail discord.channel', 'warn self-test.round-trip']);
    expect(found(findings, 'discord.channel')).toEqual([expect.stringMatching(reason)]);
    expect(cureOf(findings, 'discord.channel')).toMatch(/"Edit Channel", "Permissions"/);
    expect(at.left()).toBe(0);
  });

  it.each([
    [
      'cannot see the channel',
      (id: string) => at.discord.guild.permit(id, at.discord.botUserId, { deny: ['view_channel'] }),
      /50001/,
      /Invite the bot/,
    ],
    ['was removed from the server', () => at.discord.guild.remove(at.discord.botUserId), /50001/, /Invite the bot/],
    [
      'looks for a channel that is gone',
      (id: string) => at.discord.guild.deleteChannel(id),
      /10003/,
      /Copy Channel ID/,
    ],
    [
      'is in a time-out',
      () => at.discord.guild.timeOut(at.discord.botUserId, Date.now() + 3_600_000),
      /in a time-out/,
      /End the time-out/,
    ],
  ])('says what to do where the bot %s', async (_, break_, reason, cure) => {
    await start();
    break_(at.channel);
    const findings = await stage.examine(at.env);
    expect(found(findings, 'discord.channel')).toEqual([expect.stringMatching(reason)]);
    expect(cureOf(findings, 'discord.channel')).toMatch(cure);
    expect(wrong(findings)).toContain('fail discord.channel');
  });

  it('goes by the roles of the bot, and lets an administrator do everything', async () => {
    await start();
    const { guild, botUserId } = at.discord;
    guild.permit(at.channel, guild.id, { deny: ['send_messages'] });
    expect(wrong(await stage.examine(at.env))).toContain('fail discord.channel');
    const may = guild.addRole({ name: 'agents' }).id;
    guild.permit(at.channel, may, { allow: ['send_messages'] });
    guild.giveRole(botUserId, may);
    expect(wrong(await stage.examine(at.env))).toEqual([ALWAYS, FIRST]);
    guild.takeRole(botUserId, may);
    guild.giveRole(botUserId, guild.addRole({ permissions: ['administrator'] }).id);
    expect(wrong(await stage.examine(at.env))).toEqual([ALWAYS]);
  });

  it('takes a thread for a place, goes by the rules of its channel, and says when it is locked', async () => {
    await start();
    const { discord, channel } = at;
    const call = (path: string, body: object) =>
      fetch(`${discord.apiUrl}/v10${path}`, {
        method: 'POST',
        headers: { authorization: `Bot ${discord.botToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const made = await call(`/channels/${channel}/threads`, { name: 'agents', type: 11 });
    const { id: thread } = (await made.json()) as { id: string };
    const env = { ...at.env, HANDRAISE_DISCORD_CHANNEL: thread };
    // In a thread neither is of use.
    discord.guild.permit(channel, discord.botUserId, { deny: ['send_messages', 'create_public_threads'] });
    expect(wrong(await stage.examine(env))).toEqual([ALWAYS, FIRST]);
    discord.guild.setThread(thread, { archived: true });
    expect(wrong(await stage.examine(env))).toEqual([ALWAYS]);
    discord.guild.setThread(thread, { locked: true });
    const locked = await stage.examine(env);
    expect(found(locked, 'discord.channel')).toEqual([`fail: ${thread}: This Discord thread is locked.`]);
    expect(cureOf(locked, 'discord.channel')).toMatch(/^Unlock the thread/);
    discord.guild.setThread(thread, { locked: false });
    discord.guild.permit(channel, discord.botUserId, { deny: ['send_messages_in_threads'] });
    const denied = await stage.examine(env);
    expect(found(denied, 'discord.channel')).toEqual([
      expect.stringMatching(/lacks in this channel: Send Messages in Threads\.$/),
    ]);
    expect(cureOf(denied, 'discord.channel')).toContain('of the channel that the thread is in');
  });

  it('says where the clicks go when the portal sends them to a web address, and looks no further', async () => {
    await start();
    at.discord.portal.interactionsEndpoint = 'https://example.com/interactions';
    Object.assign(at.discord.portal, { isPublic: true, flags: 1 << 18 });
    const findings = await stage.examine(at.env);
    expect(found(findings, 'discord.interactions')).toEqual([expect.stringMatching(/^fail: .*web address/)]);
    expect(cureOf(findings, 'discord.interactions')).toContain('Interactions Endpoint URL');
    expect(found(findings, 'discord.public')).toEqual([expect.stringMatching(/^warn/)]);
    expect(found(findings, 'discord.intents')).toEqual([expect.stringMatching(/^warn/)]);
    expect(wrong(findings)).toContain('warn self-test.round-trip');
  });

  it('says when few connects are left today, and opens none of the last fifty', async () => {
    await start({ sockets: { identifiesUsed: 951 } });
    const findings = await stage.examine(at.env);
    expect(found(findings, 'discord.connects')).toEqual([expect.stringContaining('only 49 more times')]);
    expect(found(findings, 'discord.connection')).toEqual([expect.stringMatching(/^fail: .*only 49 more times today/)]);
  });

  it('opens no connection while another process holds the token', async () => {
    await start();
    const lock = await acquireTokenLock(at.discord.botToken, undefined, 'discord');
    try {
      const findings = await stage.examine(at.env);
      expect(wrong(findings)).toEqual([ALWAYS, FIRST, 'warn discord.connection', 'warn self-test.round-trip']);
      expect(found(findings, 'discord.connection')[0]).toContain(`(process ${process.pid})`);
    } finally {
      await lock.release();
    }
  });

  it('posts one test message where Discord’s answer to it is lost, and deletes it', async () => {
    await start();
    at.discord.faults.api('create_message', { kind: 'apply_then_drop' });
    const findings = await stage.examine(at.env);
    expect(wrong(findings)).toEqual([ALWAYS, FIRST]);
    expect(at.left()).toBe(0);
  });

  it('does not hang on a Discord that does not answer', async () => {
    await start();
    at.discord.faults.api('*', { kind: 'hang', times: 1_000 });
    const findings = await stage.examine(at.env);
    expect(found(findings, 'discord.token')).toEqual([
      expect.stringMatching(/^fail: Discord did not answer .* in time/),
    ]);
  });

  it('says who of the listed people and roles can answer, and who cannot', async () => {
    await start();
    const { guild } = at.discord;
    const robot = guild.addMember({ name: 'robot', bot: true }).id;
    const gus = guild.addMember({ name: 'gus', pending: true }).id;
    const eve = at.discord.addGuild().addMember({ name: 'eve' }).id;
    const role = guild.addRole({ name: 'on-call' }).id;
    const binding = (workspace: string, operators: string) =>
      `  - match: { workspace: "${workspace}" }\n    discord: { channel: "${at.channel}" }\n    questions: { operators: { ${operators} } }\n`;
    const file = inFile(
      binding('**/a', `discordUsers: ["${robot}", "${eve}", "${gus}"], discordRoles: ["112233445566778899"]`) +
        binding('*', `discordUsers: ["${at.ana}", "998877665544332211"], discordRoles: ["${role}"]`),
    );
    const findings = await stage.examine(tokens(), file);
    expect(found(findings, 'people.answer')).toEqual([
      `fail: Nobody on Discord can answer bindings[0]: ${robot} is a bot, ${eve} is not in the server, ${gus} has not passed the server’s screening, or is a guest, 112233445566778899 is no role of the server.`,
      'ok: bindings[1]: Ana, whoever has the role on-call may answer.',
    ]);
    expect(found(findings, 'people.listed')).toEqual([
      'warn: bindings[1] lists people who cannot answer: 998877665544332211 is not known to Discord.',
    ]);
  });

  it('waits where Discord asks to, instead of taking that for an answer', async () => {
    await start({ rateLimits: { windowS: 1 } });
    const people = Array.from({ length: 7 }, (_, index) => at.discord.guild.addMember({ name: `p${index}` }).id);
    const listed = people.map((id) => `"${id}"`).join(', ');
    const file = inFile(
      `  - match: { workspace: "*" }\n    discord: { channel: "${at.channel}" }\n    questions: { operators: { discordUsers: [${listed}] } }\n`,
    );
    expect(found(await stage.examine(tokens(), file), 'people.answer')).toEqual([
      'ok: bindings[0]: p0, p1, p2, p3, p4, p5, p6 may answer.',
    ]);
  });

  it('settles the card of a run that was killed', async () => {
    await start();
    const { discord, ana, channel } = at;
    const asking = stage.desk.start(
      ['ask', 'Which database?', '--option', 'Postgres=runs already', '--option', 'SQLite=a file'],
      { env: at.env },
    );
    await discord.until(ana, channel, (screen) => screen.messages.find(({ thread }) => thread !== undefined), 20_000);
    const [thread] = discord.screen(ana, channel).messages.flatMap((message) => message.thread?.id ?? []);
    const drawn = () => JSON.stringify(discord.screen(ana, thread ?? '').messages);
    await discord.until(ana, channel, () => drawn().includes('Postgres'), 20_000);
    asking.kill('SIGKILL');
    await asking;
    const findings = await stage.examine(at.env);
    expect(found(findings, 'cards.abandoned')).toEqual(['ok: 1 card of killed runs were settled as "Agent gone".']);
    expect(drawn()).toContain('Agent gone');
  });

  it('takes no click from a run on another host: each connection gets every click', async () => {
    await start();
    const other = createDiscordAdapter(
      { botToken: at.discord.botToken, apiUrl: at.discord.apiUrl },
      { clock: systemClock, log: recordingLog(), identifyEveryMs: 0 },
    );
    await other.start(recordingHost());
    try {
      expect(wrong(await stage.examine(at.env))).toEqual([ALWAYS]);
    } finally {
      await other.stop(0);
    }
  });
});
