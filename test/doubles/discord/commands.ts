import type { Obj } from '../json.ts';

export interface CommandRecord {
  readonly id: string;
  readonly guildId: string | null;
  readonly name: string;
  readonly body: Obj;
}

/** The app's slash commands: global ones, and those of one guild. */
export interface CommandStore {
  list(guildId: string | null): readonly CommandRecord[];
  replace(guildId: string | null, commands: readonly CommandRecord[]): void;
  /** The command a person in that guild (null: in a direct message) gets by this name: the guild's own one first. */
  find(name: string, guildId: string | null): CommandRecord | undefined;
}

export function createCommands(): CommandStore {
  const byScope = new Map<string | null, readonly CommandRecord[]>();
  const list = (guildId: string | null) => byScope.get(guildId) ?? [];
  return {
    list,
    replace: (guildId, commands) => {
      byScope.set(guildId, commands);
    },
    find: (name, guildId) =>
      [...list(guildId), ...list(null)].find((one) => one.name === name && isOffered(one, guildId)),
  };
}

/** Interaction contexts: 0 in guilds, 1 in direct messages with the bot. A command that names none is offered in both. */
function isOffered({ body }: CommandRecord, guildId: string | null): boolean {
  const contexts = body['contexts'];
  return !Array.isArray(contexts) || contexts.includes(guildId === null ? 1 : 0);
}
