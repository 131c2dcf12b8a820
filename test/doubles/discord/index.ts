/**
 * A Discord on loopback for tests and the playground: REST v10, the gateway v10, and the people in front of the screen.
 * The real discord.js connects to it: `new Client({ intents, rest: { api: discord.apiUrl } })`.
 *
 *     const discord = await startDiscordDouble();
 *     const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
 *     const channel = discord.guild.addChannel({ name: 'agents' }).id;
 *     …the app posts a card…
 *     await discord.user(ana).click({ channel, label: 'Allow' }).settled;      // { kind: 'acked', type: 6, … }
 *     const card = await discord.until(ana, channel, (screen) => screen.messages.find((one) => one.edited));
 *     expect(discord.violations).toEqual([]);
 *
 * `screen` is what one person sees, ephemerals and the open modal included; `user(id)` touches only what is on it.
 * `faults.api('create_message', …)` and `faults.socket(…)` script trouble; `sockets` acts on open connections, also
 * `down()` and `up()`. Operations have the names of Discord's own API description. Whatever breaks a rule of the
 * platform is answered as Discord answers it and kept in `violations`, for the end of a test.
 *
 * It knows less than Discord: one shard; no voice, reactions, polls, stickers, forums, autocomplete, context menus or
 * command options; selects of users, roles and channels are drawn but cannot be used. Numbers that Discord does not
 * publish (buckets, the time for RESUME, edits of old messages) are guesses marked as such where they stand.
 */
export { createClock } from '../clock.ts';
export { startDiscordDouble } from './double.ts';
export { drawScreen } from './draw.ts';
export type * from './types.ts';
