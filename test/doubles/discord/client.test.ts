import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  type Interaction as ClientInteraction,
  GatewayIntentBits,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DiscordDouble, startDiscordDouble } from './index.ts';

let discord: DiscordDouble;
let client: Client<true>;
let ana: string;
let ben: string;
let channel: string;

beforeEach(async () => {
  discord = await startDiscordDouble();
  ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  ben = discord.guild.addMember({ name: 'ben', displayName: 'Ben' }).id;
  channel = discord.guild.addChannel({ name: 'agents' }).id;
  client = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: discord.apiUrl },
    waitGuildTimeout: 200,
    allowedMentions: { parse: [] },
  });
});

afterEach(async () => {
  await client.destroy();
  await discord.close();
  expect(discord.violations).toEqual([]);
});

const login = async () => {
  const ready = new Promise<void>((resolve) => client.once('clientReady', () => resolve()));
  await client.login(discord.botToken);
  await ready;
};

/** Failures of a listener must fail the test, not vanish. */
const onInteraction = (listener: (interaction: ClientInteraction) => Promise<void>) => {
  client.on('interactionCreate', (interaction) => {
    listener(interaction).catch((error: unknown) => {
      throw error;
    });
  });
};

const post = async () => {
  const place = await client.channels.fetch(channel);
  if (!place?.isSendable()) throw new Error('cannot post');
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId('a0').setLabel('Postgres').setStyle(ButtonStyle.Primary),
    new ButtonBuilder().setCustomId('a1').setLabel('Other').setStyle(ButtonStyle.Secondary),
  );
  return place.send({ content: '**Which** database?', components: [row] });
};

test('the real client logs in, posts, takes a click, responds and edits', async () => {
  onInteraction(async (interaction) => {
    if (!interaction.isButton() || !interaction.inCachedGuild()) throw new Error('not a button in a guild');
    await interaction.deferUpdate();
    const text = `${interaction.member.displayName} chose ${interaction.customId}`;
    await interaction.editReply({ content: text, components: [] });
  });
  await login();
  expect(client.guilds.cache.get(discord.guild.id)?.name).toBe('Acme');
  const message = await post();
  const seen = discord.screen(ana, channel).messages[0];
  expect(seen).toMatchObject({ id: message.id, notification: 'Which database?' });
  expect(seen?.controls.map((one) => one.text)).toEqual(['Postgres', 'Other']);
  const click = discord.user(ana).click({ channel, label: 'Postgres' });
  expect(await click.settled).toMatchObject({ kind: 'acked', type: 6 });
  const after = await discord.until(ana, channel, (screen) => screen.messages.find((one) => one.edited));
  expect(after.text.plain).toBe('Ana chose a0');
  expect(after.controls).toEqual([]);
});

test('a modal opens, refuses an empty required input, is submitted and answered privately', async () => {
  onInteraction(async (interaction) => {
    if (interaction.isButton()) {
      const input = new TextInputBuilder().setCustomId('it').setStyle(TextInputStyle.Paragraph).setMaxLength(20);
      const label = new LabelBuilder().setLabel('Your answer').setTextInputComponent(input);
      await interaction.showModal(new ModalBuilder().setCustomId('m').setTitle('Other').addLabelComponents(label));
    } else if (interaction.isModalSubmit()) {
      const content = `Noted: ${interaction.fields.getTextInputValue('it')}`;
      await interaction.reply({ content, flags: MessageFlags.Ephemeral });
    }
  });
  await login();
  await post();
  const user = discord.user(ana);
  expect(await user.click({ channel, customId: 'a1' }).settled).toMatchObject({ kind: 'acked', type: 9 });
  expect(discord.screen(ana, channel).modals[0]?.title).toBe('Other');
  expect(discord.screen(ben, channel).modals).toEqual([]);
  expect(await user.submit().settled).toMatchObject({ kind: 'kept', errors: { it: 'This field is required.' } });
  expect(() => user.type({ label: 'Your answer' }, 'x'.repeat(21))).toThrow(/at most 20/);
  user.type({ label: 'Your answer' }, 'Redis');
  expect(await user.submit().settled).toMatchObject({ kind: 'acked', type: 4 });
  expect(discord.screen(ana, channel).modals).toEqual([]);
  const note = await discord.until(ana, channel, (screen) => screen.messages.find((one) => one.ephemeral));
  expect(note.text.plain).toBe('Noted: Redis');
  expect(discord.screen(ben, channel).messages).toHaveLength(1);
  user.reload();
  expect(discord.screen(ana, channel).messages).toHaveLength(1);
});
