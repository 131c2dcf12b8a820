/** Intents that decide what a session hears of. */
export const INTENTS = {
  guilds: 1 << 0,
  members: 1 << 1,
  presences: 1 << 8,
  guildMessages: 1 << 9,
  directMessages: 1 << 12,
  messageContent: 1 << 15,
} as const;

/** Bits Discord has given a meaning: 0-16, 20, 21, 24, 25. */
const KNOWN = 0x1ffff | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

export function isKnown(intents: number): boolean {
  return Number.isInteger(intents) && intents >= 0 && (intents & ~KNOWN) === 0;
}

export function privilegedOf(intents: number): number {
  return intents & (INTENTS.members | INTENTS.presences | INTENTS.messageContent);
}
