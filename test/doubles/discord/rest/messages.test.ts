import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { button, type DiscordApp, row, startDiscordApp, text, v2 } from '../../../support/discord-app.ts';
import type { DiscordDoubleOptions } from '../index.ts';

let app: DiscordApp;
let messages: string;

const start = async (options: DiscordDoubleOptions = {}) => {
  app = await startDiscordApp(options);
  messages = `/channels/${app.channel}/messages`;
};

beforeEach(() => start());
afterEach(async () => {
  expect(app.discord.violations).toEqual([]);
  await app.stop();
});

const HOUR_MS = 3_600_000;

describe('messages', () => {
  test('an enforced nonce returns the earlier message for some minutes, in its own channel only', async () => {
    const body = { content: 'once', nonce: 'n1', enforce_nonce: true };
    const id = await app.post(body);
    expect(await app.post({ ...body, content: 'twice' })).toBe(id);
    const other = app.discord.guild.addChannel({ name: 'other' }).id;
    expect((await app.call('POST', `/channels/${other}/messages`, body)).body['id']).not.toBe(id);
    await app.discord.clock.advance(6 * 60_000);
    expect(await app.post(body)).not.toBe(id);
  });

  test('a nonce that is not enforced repeats the message', async () => {
    const body = { content: 'once', nonce: 'n1' };
    expect(await app.post(body)).not.toBe(await app.post(body));
  });

  test('messages are listed newest first, by limit, before, after and around', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.push(await app.post({ content: `m${index}` }));
    const list = async (query: string) => {
      const { body } = await app.call('GET', `${messages}?${query}`);
      return (body as unknown as { content: string }[]).map((one) => one.content);
    };
    expect(await list('limit=2')).toEqual(['m6', 'm5']);
    expect(await list(`limit=2&before=${ids[3]}`)).toEqual(['m2', 'm1']);
    expect(await list(`limit=2&after=${ids[3]}`)).toEqual(['m5', 'm4']);
    expect(await list(`limit=3&around=${ids[3]}`)).toEqual(['m4', 'm3', 'm2']);
    expect((await app.call('GET', `${messages}?limit=101`)).body['code']).toBe(50035);
    expect(app.discord.takeViolations()).toHaveLength(1);
  });

  test('an edit keeps what it leaves out, null empties it, and a delete is final', async () => {
    const id = await app.post({ content: 'one', components: [row(button('a'))] });
    const path = `${messages}/${id}`;
    expect((await app.call('PATCH', path, { content: 'two' })).body).toMatchObject({
      content: 'two',
      components: [{}],
    });
    expect((await app.call('PATCH', path, { components: [] })).body).toMatchObject({ content: 'two', components: [] });
    expect((await app.call('PATCH', path, { content: null })).body['code']).toBe(50006);
    expect((await app.call('DELETE', path)).status).toBe(204);
    expect((await app.call('GET', path)).body['code']).toBe(10008);
    expect((await app.call('PATCH', path, { content: 'late' })).body['code']).toBe(10008);
  });

  test('edits of a message older than an hour run out and come back', async () => {
    await app.stop();
    await start({ rateLimits: { oldEdits: 2, multiplier: 100 } });
    const path = `${messages}/${await app.post({ content: 'old' })}`;
    const edit = async () => (await app.call('PATCH', path, { content: 'new' })).body['code'];
    for (let index = 0; index < 5; index += 1) expect(await edit()).toBeUndefined();
    await app.discord.clock.advance(HOUR_MS + 1000);
    expect([await edit(), await edit(), await edit()]).toEqual([undefined, undefined, 30046]);
    await app.discord.clock.advance(HOUR_MS + 1000);
    expect(await edit()).toBeUndefined();
  });

  test('only the own messages can be edited, and only with permission others deleted', async () => {
    const id = app.discord.user(app.ana).say(app.channel, 'mine');
    expect((await app.call('PATCH', `${messages}/${id}`, { content: 'x' })).body['code']).toBe(50005);
    expect((await app.call('DELETE', `${messages}/${id}`)).body['code']).toBe(50013);
    app.discord.guild.permit(app.channel, app.discord.botUserId, { allow: ['manage_messages'] });
    expect((await app.call('DELETE', `${messages}/${id}`)).status).toBe(204);
  });

  test('a file travels, is kept by an edit, and can be fetched', async () => {
    const form = new FormData();
    const attachments = [{ id: '0', filename: 'command.txt', description: 'the whole' }];
    form.append(
      'payload_json',
      JSON.stringify({ ...v2({ type: 13, file: { url: 'attachment://command.txt' } }), attachments }),
    );
    form.append('files[0]', new Blob(['rm -rf build']), 'command.txt');
    const response = await fetch(`${app.discord.apiUrl}/v10${messages}`, {
      method: 'POST',
      headers: { authorization: `Bot ${app.discord.botToken}` },
      body: form,
    });
    const message = (await response.json()) as { id: string; attachments: { url: string; size: number }[] };
    expect(message.attachments).toMatchObject([{ filename: 'command.txt', size: 12, description: 'the whole' }]);
    expect(await (await fetch(message.attachments[0]?.url ?? '')).text()).toBe('rm -rf build');
    const seen = app.discord.screen(app.ana, app.channel).messages[0];
    expect(seen?.files).toMatchObject([{ name: 'command.txt', content: 'rm -rf build' }]);
    const edited = await app.call('PATCH', `${messages}/${message.id}`, v2(text('settled')));
    expect(edited.body['attachments']).toHaveLength(1);
    const without = await app.call('PATCH', `${messages}/${message.id}`, { attachments: [] });
    expect(without.body['attachments']).toEqual([]);
  });

  test('suppressed embeds are not shown', async () => {
    await app.post({ embeds: [{ title: 'Loud' }] });
    await app.post({ embeds: [{ title: 'Quiet' }], flags: 1 << 2 });
    const embeds = app.discord.screen(app.ana, app.channel).messages.map((one) => one.embeds.length);
    expect(embeds).toEqual([1, 0]);
  });
});

describe('mentions', () => {
  const body = (id: string, more = {}) => ({ content: `<@${id}> @everyone https://a.example`, ...more });
  const pinged = () => app.discord.mentions.filter((one) => one.pinged).map((one) => one.kind);

  test('take effect by default, not with an empty list, and only with permission for everyone', async () => {
    await app.post(body(app.ana));
    expect(app.discord.mentions.map((one) => one.kind)).toEqual(['user', 'everyone', 'link']);
    expect(pinged()).toEqual(['user']);
    expect(app.discord.screen(app.ana, app.channel).messages[0]?.pingsYou).toBe(true);
    await app.post(body(app.ana, { allowed_mentions: { parse: [] } }));
    expect(pinged()).toEqual(['user']);
    expect(app.discord.screen(app.ana, app.channel).messages[1]?.pingsYou).toBe(false);
    app.discord.guild.permit(app.channel, app.discord.botUserId, { allow: ['mention_everyone'] });
    await app.post(body(app.ana));
    expect(pinged()).toEqual(['user', 'user', 'everyone']);
  });

  test('a role pings when anybody may mention it and it is allowed', async () => {
    const quiet = app.discord.guild.addRole({ name: 'quiet' }).id;
    const loud = app.discord.guild.addRole({ name: 'loud', mentionable: true }).id;
    await app.post({ content: `<@&${quiet}> <@&${loud}>` });
    expect(app.discord.mentions.map((one) => [one.label, one.pinged])).toEqual([
      ['@quiet', false],
      ['@loud', true],
    ]);
  });

  test('an edit shows mentions and pings nobody', async () => {
    const id = await app.post({ content: 'x' });
    await app.call('PATCH', `${messages}/${id}`, body(app.ana));
    expect(app.discord.mentions).toHaveLength(3);
    expect(pinged()).toEqual([]);
  });

  test('escaped and code text mentions nobody', async () => {
    await app.post(v2(text(`\\<@${app.ana}> \`@everyone\` \\@everyone\n\`\`\`\n<@${app.ana}>\n\`\`\``)));
    expect(app.discord.mentions).toEqual([]);
  });
});

describe('threads', () => {
  const thread = async (body = {}) => {
    const id = await app.post({ content: 'parent' });
    const reply = await app.call('POST', `${messages}/${id}/threads`, {
      name: 'session',
      auto_archive_duration: 60,
      ...body,
    });
    return { id, reply };
  };

  test('a thread on a message has its id, shows on it, and there is only one', async () => {
    const { id, reply } = await thread();
    expect(reply).toMatchObject({ status: 201, body: { id, type: 11, parent_id: app.channel } });
    await app.call('POST', `/channels/${id}/messages`, { content: 'inside' });
    expect(app.discord.screen(app.ana, app.channel).messages[0]?.thread).toMatchObject({
      name: 'session',
      messages: 1,
    });
    expect(app.discord.screen(app.ana, id).messages.map((one) => one.text.plain)).toEqual(['inside']);
    const again = await app.call('POST', `${messages}/${id}/threads`, { name: 'second' });
    expect(again.body['code']).toBe(160004);
  });

  test('is archived after its time, takes no edits then, and opens again for a new message', async () => {
    const { id } = await thread();
    const inside = await app.call('POST', `/channels/${id}/messages`, { content: 'inside' });
    const path = `/channels/${id}/messages/${String(inside.body['id'])}`;
    await app.discord.clock.advance(61 * 60_000);
    expect(app.discord.screen(app.ana, id).channel.archived).toBe(true);
    expect((await app.call('PATCH', path, { content: 'settled' })).body['code']).toBe(50083);
    expect((await app.call('PATCH', `/channels/${id}`, { archived: false })).status).toBe(200);
    expect((await app.call('PATCH', path, { content: 'settled' })).status).toBe(200);
    await app.discord.clock.advance(61 * 60_000);
    expect((await app.call('POST', `/channels/${id}/messages`, { content: 'again' })).status).toBe(200);
    expect(app.discord.screen(app.ana, id).channel.archived).toBe(false);
  });

  test('a locked one takes no messages and opens for moderators only', async () => {
    const { id } = await thread();
    app.discord.guild.setThread(id, { archived: true, locked: true });
    expect((await app.call('POST', `/channels/${id}/messages`, { content: 'x' })).body['code']).toBe(50083);
    expect((await app.call('PATCH', `/channels/${id}`, { archived: false })).body['code']).toBe(50013);
    app.discord.guild.permit(app.channel, app.discord.botUserId, { allow: ['manage_threads'] });
    expect((await app.call('PATCH', `/channels/${id}`, { archived: false })).status).toBe(200);
  });

  test('one without a message stands in the list of active ones', async () => {
    const reply = await app.call('POST', `/channels/${app.channel}/threads`, { name: 'free', type: 11 });
    const active = await app.call('GET', `/guilds/${app.discord.guild.id}/threads/active`);
    expect(active.body['threads']).toMatchObject([{ id: reply.body['id'] }]);
  });
});
