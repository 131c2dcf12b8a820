import { MessageResponseSchema } from 'discord-api-spec/zod';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { button, type DiscordApp, row, startDiscordApp, text, v2 } from '../../support/discord-app.ts';

let app: DiscordApp;

beforeEach(async () => {
  app = await startDiscordApp();
});
afterEach(() => app.stop());

/** Where a message departs from Discord's own description. */
const departures = (message: unknown): string[] => {
  const { error } = MessageResponseSchema.safeParse(message);
  return (error?.issues ?? []).map((one) => `${one.path.join('.')}: ${one.message}`);
};

test("the double's own messages fit Discord's published description", async () => {
  const everything = v2(
    text('# Heading'),
    { type: 9, components: [text('one')], accessory: button('a') },
    { type: 17, accent_color: 1, components: [text('two'), { type: 14, divider: true, spacing: 1 }, row(button('b'))] },
    row({ type: 3, custom_id: 's', options: [{ label: 'Red', value: 'r' }] }),
  );
  const id = await app.post(everything);
  const replied = await app.post({ content: 'reply', message_reference: { message_id: id }, nonce: 'n' });
  await app.call('POST', `/channels/${app.channel}/messages/${id}/threads`, { name: 'thread' });
  app.discord.user(app.ana).click({ channel: app.channel, label: 'A' });
  const interaction = await app.interaction();
  await app.respond(interaction, 4, { content: 'private', flags: 64 });
  const path = `/webhooks/${app.discord.applicationId}/${String(interaction['token'])}/messages/@original`;
  const messages = [
    (await app.call('GET', `/channels/${app.channel}/messages/${id}`)).body,
    (await app.call('PATCH', `/channels/${app.channel}/messages/${replied}`, { content: 'edited' })).body,
    (await app.call('GET', path)).body,
    interaction['message'],
    app.line.dispatches.find(({ t }) => t === 'MESSAGE_CREATE')?.d,
  ];
  expect(messages.map(departures)).toEqual(messages.map(() => []));
});
