import { type APIOverwrite, type APIRole, OAuth2Scopes, PermissionFlagsBits } from 'discord.js';

/** What the bot needs in a channel, by the names of Discord's client, each with what it is for. */
const NEEDED = [
  ['View Channel', PermissionFlagsBits.ViewChannel],
  ['Send Messages', PermissionFlagsBits.SendMessages],
  ['Create Public Threads', PermissionFlagsBits.CreatePublicThreads],
  ['Send Messages in Threads', PermissionFlagsBits.SendMessagesInThreads],
  ['Attach Files', PermissionFlagsBits.AttachFiles],
  ['Read Message History', PermissionFlagsBits.ReadMessageHistory],
] as const;

/** Of those, what is of no use where the bound channel is a thread: cards then go into that thread itself. */
const ONLY_IN_CHANNELS: ReadonlySet<bigint> = new Set([
  PermissionFlagsBits.SendMessages,
  PermissionFlagsBits.CreatePublicThreads,
]);

/** What is left to somebody in a time-out (topics/permissions). */
const IN_TIME_OUT = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

/** For people: "View Channel, Send Messages, …". */
export const NEEDED_IN_WORDS = NEEDED.map(([name]) => name).join(', ');

/** Names of those that `has` lacks, in the order of Discord's client. */
export function lackingOf(has: bigint, place: { readonly isThread: boolean; readonly inTimeOut: boolean }): string[] {
  const usable = place.inTimeOut ? has & IN_TIME_OUT : has;
  return NEEDED.filter(([, bit]) => !(place.isThread && ONLY_IN_CHANNELS.has(bit)) && (usable & bit) === 0n).map(
    ([name]) => name,
  );
}

/** Adds the bot to a server with what it needs, and its command. `applicationId`: "Application ID" of the developer portal. */
export function inviteLink(applicationId: string): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: `${OAuth2Scopes.Bot} ${OAuth2Scopes.ApplicationsCommands}`,
    permissions: String(NEEDED.reduce((sum, [, bit]) => sum | bit, 0n)),
  });
  return `https://discord.com/oauth2/authorize?${query.toString()}`;
}

/** Somebody in a server. */
export interface Person {
  /** The server's id, which is also that of the role of everybody. */
  readonly guild: string;
  readonly roles: ReadonlySet<string>;
  readonly userId: string;
}

/** What somebody's roles say for the whole server. An administrator may do everything. */
export function ofRoles(roles: readonly Pick<APIRole, 'id' | 'permissions'>[], { guild, roles: own }: Person): bigint {
  const base = roles.reduce(
    (bits, { id, permissions }) => (id === guild || own.has(id) ? bits | BigInt(permissions) : bits),
    0n,
  );
  return (base & PermissionFlagsBits.Administrator) === 0n ? base : ~0n;
}

/**
 * What is left of it, or added, in a channel (topics/permissions): first what the channel says of everybody, then of the
 * person's roles together, then of the person. Nobody takes anything from an administrator.
 */
export function withOverwrites(
  base: bigint,
  overwrites: readonly APIOverwrite[],
  { guild, roles, userId }: Person,
): bigint {
  if ((base & PermissionFlagsBits.Administrator) !== 0n) return ~0n;
  const applied = (bits: bigint, which: (id: string) => boolean) => {
    const ours = overwrites.filter(({ id }) => which(id));
    const deny = ours.reduce((sum, one) => sum | BigInt(one.deny), 0n);
    const allow = ours.reduce((sum, one) => sum | BigInt(one.allow), 0n);
    return (bits & ~deny) | allow;
  };
  const everybody = applied(base, (id) => id === guild);
  const all = applied(
    applied(everybody, (id) => roles.has(id)),
    (id) => id === userId,
  );
  // Who cannot see a channel can do nothing in it.
  return (all & PermissionFlagsBits.ViewChannel) === 0n ? 0n : all;
}
