import type { Mention } from '../types.ts';
import type { WorkspaceStore } from '../workspace.ts';

/** Something that took effect in a text: who would be pinged, what could be followed. */
export type Found = Pick<Mention, 'kind' | 'target' | 'label'>;

/** Names for ids, as a client resolves them. */
export interface Directory {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
  group(id: string): string | undefined;
  channelNamed(name: string): string | undefined;
  userNamed(name: string): string | undefined;
}

export function createDirectory(workspace: WorkspaceStore): Directory {
  return {
    user: (id) => workspace.users.get(id)?.real_name,
    channel: (id) => workspace.channels.get(id)?.name,
    group: (id) => workspace.groups.get(id)?.handle,
    channelNamed: (name) => [...workspace.channels.values()].find((one) => one.name === name)?.id,
    userNamed: (name) => [...workspace.users.values()].find((one) => one.name === name)?.id,
  };
}
