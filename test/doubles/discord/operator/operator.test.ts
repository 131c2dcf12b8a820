import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { button, type DiscordApp, row, startDiscordApp, text, v2 } from '../../../support/discord-app.ts';
import { drawScreen } from '../index.ts';

let app: DiscordApp;
let discord: DiscordApp['discord'];
let channel: string;
let ana: string;
let ben: string;

beforeEach(async () => {
  app = await startDiscordApp();
  ({ discord, channel, ana } = app);
  ben = discord.guild.addMember({ name: 'ben', nick: 'Benny' }).id;
});
afterEach(async () => {
  expect(discord.violations).toEqual([]);
  await app.stop();
});

const card = (...more: Parameters<typeof row>) =>
  app.post(v2(text('# Pick one'), row(button('a'), button('b'), ...more)));
const url = (interaction: Record<string, unknown>, rest = '') =>
  `/webhooks/${discord.applicationId}/${String(interaction['token'])}${rest}`;
const options = [
  { label: 'Red', value: 'r' },
  { label: 'Green', value: 'g', description: 'like grass' },
];

describe('a click', () => {
  test('carries what Discord sends: member with fresh roles, permissions, languages, message', async () => {
    const role = discord.guild.addRole({ name: 'approvers' }).id;
    const id = await card();
    discord.guild.giveRole(ana, role);
    discord.user(ana).click({ channel, label: 'A' });
    expect(await app.interaction()).toMatchObject({
      type: 3,
      version: 1,
      application_id: discord.applicationId,
      guild_id: discord.guild.id,
      channel_id: channel,
      member: { user: { id: ana, global_name: 'Ana' }, roles: [role], permissions: expect.stringMatching(/^\d+$/) },
      app_permissions: expect.stringMatching(/^\d+$/),
      locale: 'en-US',
      guild_locale: 'en-US',
      context: 0,
      data: { custom_id: 'a', component_type: 2 },
      message: { id, flags: 1 << 15, components: [{ id: 1 }, { id: 2, components: [{ id: 3 }, { id: 4 }] }] },
    });
    await app.respond(await app.interaction(), 6);
  });

  test('on what is not there throws and shows the screen', async () => {
    await card(button('c', { disabled: true }));
    const click = (target: object) => () => discord.user(ana).click({ channel, ...target });
    expect(click({ label: 'D' })).toThrow(/No control fits .*\n#general as Ana sees it[\s\S]*\[A\]/);
    expect(click({})).toThrow(/2 controls fit/);
    expect(click({ label: 'C' })).toThrow(/Only disabled controls fit/);
    const eve = discord.addGuild().addMember({ name: 'eve' }).id;
    expect(() => discord.user(eve).click({ channel, label: 'A' })).toThrow(/cannot see/);
  });

  test('that nobody answers fails for the one who clicked, after three seconds', async () => {
    await card();
    const pending = discord.user(ana).click({ channel, label: 'A' });
    await app.interaction();
    await discord.clock.advance(3001);
    expect(await pending.settled).toEqual({ kind: 'unacked', reason: 'timeout' });
    const warnings = (user: string) => discord.screen(user, channel).messages[0]?.warnings;
    expect(warnings(ana)).toEqual([{ customId: 'a', reason: 'timeout' }]);
    expect(warnings(ben)).toEqual([]);
    expect(discord.takeViolations()).toMatchObject([{ method: 'interaction', rule: 'unanswered' }]);
    expect((await app.respond(await app.interaction(), 6)).body['code']).toBe(10062);
  });

  test('on a stale screen works with the message as it is by now', async () => {
    const id = await card();
    const old = discord.user(ana).stale(channel);
    await app.call('PATCH', `/channels/${channel}/messages/${id}`, { components: [text('Done')] });
    expect(() => discord.user(ana).click({ channel, label: 'A' })).toThrow(/No control/);
    old.click({ label: 'A' });
    expect(await app.interaction()).toMatchObject({
      data: { custom_id: 'a' },
      message: { components: [{ content: 'Done' }] },
    });
    await app.respond(await app.interaction(), 6);
  });

  test('can be forged and repeated', async () => {
    const forged = discord.deliver.action({
      user: ana,
      channel,
      message: '1',
      customId: 'x',
      override: { guild_id: '7' },
    });
    expect(await app.interaction()).toMatchObject({ guild_id: '7', data: { custom_id: 'x' }, message: { id: '1' } });
    await app.respond(await app.interaction(), 6);
    await forged.settled;
    discord.deliver.again(forged);
    const heard = () => app.line.dispatches.filter(({ t }) => t === 'INTERACTION_CREATE').map(({ d }) => d['id']);
    await expect.poll(heard).toEqual([forged.id, forged.id]);
  });
});

describe('responses', () => {
  const clicked = async () => {
    await card();
    discord.user(ana).click({ channel, label: 'A' });
    return app.interaction();
  };

  test('an update changes the message in place', async () => {
    const interaction = await clicked();
    expect((await app.respond(interaction, 7, { components: [text('Allowed')] })).status).toBe(204);
    expect(discord.screen(ben, channel).messages[0]).toMatchObject({ notification: 'Allowed', edited: true });
    const later = await app.call('PATCH', url(interaction, '/messages/@original'), { components: [text('Delivered')] });
    expect(later.status).toBe(200);
    expect(discord.screen(ben, channel).messages[0]?.notification).toBe('Delivered');
  });

  test('an ephemeral answer is seen by one person, edited by its token only, and gone after a reload', async () => {
    const interaction = await clicked();
    await app.respond(interaction, 4, { content: 'Not you', flags: 64 });
    expect(discord.screen(ana, channel).messages[1]).toMatchObject({ ephemeral: true, notification: 'Not you' });
    expect(discord.screen(ben, channel).messages).toHaveLength(1);
    const { body } = await app.call('GET', url(interaction, '/messages/@original'));
    expect(
      (await app.call('PATCH', `/channels/${channel}/messages/${String(body['id'])}`, { content: 'x' })).body['code'],
    ).toBe(10008);
    expect((await app.call('PATCH', url(interaction, '/messages/@original'), { content: 'Sorry' })).status).toBe(200);
    expect(discord.screen(ana, channel).messages[1]?.notification).toBe('Sorry');
    discord.user(ana).reload();
    expect(discord.screen(ana, channel).messages).toHaveLength(1);
  });

  test('a deferred answer thinks until it is edited; a follow-up comes after it', async () => {
    const interaction = await clicked();
    await app.respond(interaction, 5, { flags: 64 });
    expect(discord.screen(ana, channel).messages[1]).toMatchObject({ thinking: true, ephemeral: true });
    await app.call('PATCH', url(interaction, '/messages/@original'), v2(text('Here')));
    expect(discord.screen(ana, channel).messages[1]).toMatchObject({
      thinking: false,
      notification: 'Here',
      edited: false,
    });
    const more = await app.call('POST', url(interaction), { content: 'More', flags: 64 });
    expect((await app.call('DELETE', url(interaction, `/messages/${String(more.body['id'])}`))).status).toBe(204);
    expect(discord.screen(ana, channel).messages).toHaveLength(2);
  });

  test('a deferred answer that never comes has failed after fifteen minutes', async () => {
    await app.respond(await clicked(), 5);
    await discord.clock.advance(15 * 60_000 + 1);
    expect(discord.screen(ben, channel).messages[1]).toMatchObject({ thinking: false, failed: true });
  });

  test('the token is dead before the first response and after fifteen minutes', async () => {
    const interaction = await clicked();
    expect((await app.call('POST', url(interaction), { content: 'x' })).body['code']).toBe(10015);
    await app.respond(interaction, 6);
    await discord.clock.advance(15 * 60_000 + 1);
    expect(await app.call('POST', url(interaction), { content: 'x' })).toMatchObject({
      status: 401,
      body: { code: 50027 },
    });
  });

  test('a response that does not fit the interaction is refused', async () => {
    const interaction = await clicked();
    expect((await app.respond(interaction, 3)).body['code']).toBe(50035);
    expect((await app.respond(interaction, 4, {})).body['code']).toBe(50006);
    expect(discord.takeViolations()).toMatchObject([{ pointer: '/type' }]);
    await app.respond(interaction, 6);
  });
});

describe('selects and modals', () => {
  test('a choice in a message is sent as it is made', async () => {
    await app.post({
      content: 'Colour?',
      components: [row({ type: 3, custom_id: 's', placeholder: 'Colour', max_values: 2, options })],
    });
    discord.user(ana).select({ channel, label: 'Colour' }, ['Red', 'g']);
    expect(await app.interaction()).toMatchObject({ data: { custom_id: 's', component_type: 3, values: ['r', 'g'] } });
    await app.respond(await app.interaction(), 6);
    const selected = (user: string) =>
      discord.screen(user, channel).messages[0]?.controls[0]?.options.filter((one) => one.selected);
    expect(selected(ana)).toHaveLength(2);
    expect(selected(ben)).toHaveLength(0);
    expect(() => discord.user(ana).select({ channel, label: 'Colour' }, 'Blue')).toThrow(/there are: "Red", "Green"/);
  });

  test('a modal carries every kind of input back, with the message it came from', async () => {
    const id = await card();
    const user = discord.user(ana);
    user.click({ channel, label: 'A' });
    const label = (name: string, component: object) => ({ type: 18, label: name, component });
    await app.respond(await app.interaction(), 9, {
      custom_id: 'm',
      title: 'All',
      components: [
        label('Words', { type: 4, style: 1, custom_id: 'words', required: false }),
        label('One', { type: 21, custom_id: 'one', options }),
        label('Some', { type: 22, custom_id: 'some', options, required: false }),
        label('Colour', { type: 3, custom_id: 'colour', options }),
        label('Sure', { type: 23, custom_id: 'sure' }),
      ],
    });
    expect(await user.submit().settled).toMatchObject({
      kind: 'kept',
      errors: { one: expect.any(String), colour: expect.any(String) },
    });
    expect(drawScreen(user.screen(channel))).toContain('! This field is required.');
    user.type({ label: 'Words' }, 'hello');
    user.select({ label: 'One' }, 'Green');
    user.select({ label: 'Some' }, ['Red', 'Green']);
    user.select({ label: 'Colour' }, 'Red');
    user.select({ label: 'Sure' }, 'checked');
    expect(() => user.click({ channel, label: 'A' })).toThrow(/No control/);
    user.submit();
    const submitted = await app.line.next((frame) => (frame['d'] as { type?: number } | null)?.type === 5);
    expect(submitted['d']).toMatchObject({
      message: { id },
      data: {
        custom_id: 'm',
        components: [
          { type: 18, component: { type: 4, custom_id: 'words', value: 'hello' } },
          { type: 18, component: { type: 21, custom_id: 'one', value: 'g' } },
          { type: 18, component: { type: 22, custom_id: 'some', values: ['r', 'g'] } },
          { type: 18, component: { type: 3, custom_id: 'colour', values: ['r'] } },
          { type: 18, component: { type: 23, custom_id: 'sure', value: true } },
        ],
      },
    });
    const refused = await app.respond(submitted['d'] as Record<string, unknown>, 9, {
      custom_id: 'n',
      title: 'Again',
      components: [label('Words', { type: 4, style: 1, custom_id: 'w' })],
    });
    expect(refused.body['code']).toBe(50035);
    discord.takeViolations();
    expect(
      (await app.respond(submitted['d'] as Record<string, unknown>, 7, { components: [text('Done')] })).status,
    ).toBe(204);
    expect(discord.screen(ana, channel).modals).toEqual([]);
  });

  test('a submit that nobody answers leaves the modal open with its text', async () => {
    await card();
    const user = discord.user(ana);
    user.click({ channel, label: 'A' });
    const components = [{ type: 18, label: 'Words', component: { type: 4, style: 1, custom_id: 'w' } }];
    await app.respond(await app.interaction(), 9, { custom_id: 'm', title: 'T', components });
    user.type({ label: 'Words' }, 'kept');
    const pending = user.submit();
    await app.line.next((frame) => (frame['d'] as { type?: number } | null)?.type === 5);
    await discord.clock.advance(3001);
    await pending.settled;
    const [modal] = discord.screen(ana, channel).modals;
    expect(modal).toMatchObject({ trouble: 'timeout', busy: false });
    expect(modal?.controls[0]?.value).toBe('kept');
    discord.takeViolations();
    user.closeModal();
    expect(discord.screen(ana, channel).modals).toEqual([]);
  });
});

describe('places', () => {
  test('a command is used where it is registered, and says so above its answer', async () => {
    expect(() => discord.user(ana).command(channel, 'pending')).toThrow(/no command/);
    const command = { name: 'pending', description: 'What is open' };
    await app.call('PUT', `/applications/${discord.applicationId}/guilds/${discord.guild.id}/commands`, [command]);
    const used = discord.user(ana).command(channel, 'pending');
    expect(await app.interaction()).toMatchObject({ type: 2, data: { name: 'pending', type: 1 }, member: {} });
    await app.respond(await app.interaction(), 4, { content: 'Nothing', flags: 64 });
    expect(await used.settled).toMatchObject({ kind: 'acked', type: 4 });
    expect(discord.screen(ana, channel).messages[0]).toMatchObject({ command: 'pending', ephemeral: true });
  });

  test('in a direct message there is a user and no member', async () => {
    const dm = discord.openDm(ana);
    await app.call('POST', `/channels/${dm}/messages`, { content: 'Pick', components: [row(button('a'))] });
    discord.user(ana).click({ channel: dm, label: 'A' });
    const interaction = await app.interaction();
    expect(interaction).toMatchObject({ user: { id: ana }, context: 1, channel: { type: 1 } });
    expect(interaction).not.toHaveProperty('member');
    expect(interaction).not.toHaveProperty('guild_id');
    await app.respond(interaction, 6);
    expect(() => discord.screen(ben, dm)).toThrow(/cannot see/);
  });

  test('a private channel is seen by its own only', async () => {
    const role = discord.guild.addRole({ name: 'inner' }).id;
    const inner = discord.guild.addChannel({ name: 'inner', only: [role] }).id;
    expect(() => discord.screen(ana, inner)).toThrow(/cannot see/);
    discord.guild.giveRole(ana, role);
    expect(discord.screen(ana, inner).messages).toEqual([]);
    discord.guild.remove(ana);
    expect(() => discord.screen(ana, channel)).toThrow(/cannot see/);
  });

  test('people are called by their nick, display name or name', async () => {
    expect(discord.screen(ben, channel).user.name).toBe('Benny');
    expect(discord.screen(ana, channel).user.name).toBe('Ana');
  });
});
