import type { Random } from './random.ts';
import type { ChannelRecord, GroupRecord, UserRecord, Workspace, WorkspaceOptions } from './types.ts';

export interface WorkspaceStore extends Workspace {
  readonly enterpriseName: string | null;
  /** An app installed for the whole organisation: `team` is null in its payloads. */
  readonly orgInstall: boolean;
  readonly users: ReadonlyMap<string, UserRecord>;
  readonly channels: ReadonlyMap<string, ChannelRecord>;
  readonly groups: ReadonlyMap<string, GroupRecord>;
  readonly broken: Readonly<Record<'bot' | 'app', string | null>>;
}

export function createWorkspace(options: WorkspaceOptions, random: Random, changed: () => void): WorkspaceStore {
  const name = options.name ?? 'Acme';
  const teamId = random.id('T');
  const users = new Map<string, UserRecord>();
  const channels = new Map<string, ChannelRecord>();
  const groups = new Map<string, GroupRecord>();
  const broken: Record<'bot' | 'app', string | null> = { bot: null, app: null };
  const userPrefix = options.grid ? 'W' : 'U';

  const workspace: WorkspaceStore = {
    teamId,
    name,
    domain: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    enterpriseId: options.grid ? random.id('E') : null,
    enterpriseName: options.grid ? (options.grid.name ?? `${name} Holding`) : null,
    orgInstall: options.grid?.orgInstall ?? false,
    appId: random.id('A'),
    botId: random.id('B'),
    botUserId: random.id(userPrefix),
    users,
    channels,
    groups,
    broken,
    addUser(spec = {}) {
      const id = spec.id ?? random.id(userPrefix);
      const handle = spec.name ?? `user${users.size}`;
      const stranger = spec.is_stranger ?? false;
      const user: UserRecord = {
        id,
        team_id: spec.team_id ?? (stranger ? random.id('T') : teamId),
        name: handle,
        real_name: spec.real_name ?? handle,
        deleted: spec.deleted ?? false,
        is_bot: spec.is_bot ?? false,
        is_restricted: spec.is_restricted ?? spec.is_ultra_restricted ?? false,
        is_ultra_restricted: spec.is_ultra_restricted ?? false,
        is_stranger: stranger,
      };
      users.set(id, user);
      changed();
      return user;
    },
    addChannel(spec = {}) {
      const everybody = [...users.values()].filter((user) => !user.is_bot && !user.deleted).map((user) => user.id);
      const channel: ChannelRecord = {
        id: spec.id ?? random.id('C'),
        name: spec.name ?? `channel${channels.size + 1}`,
        is_private: spec.is_private ?? false,
        is_archived: false,
        members: new Set(spec.members ?? everybody),
      };
      if (spec.botIsMember ?? true) channel.members.add(workspace.botUserId);
      channels.set(channel.id, channel);
      changed();
      return channel;
    },
    addUserGroup(spec) {
      const group = { id: spec.id ?? random.id('S'), handle: spec.handle, users: new Set(spec.users) };
      groups.set(group.id, group);
      changed();
      return group;
    },
    join(channelId, userId) {
      channelOf(channels, channelId).members.add(userId);
      changed();
    },
    leave(channelId, userId) {
      channelOf(channels, channelId).members.delete(userId);
      changed();
    },
    breakToken(kind, error) {
      broken[kind] = error;
    },
  };
  workspace.addUser({ id: workspace.botUserId, name: 'handraise', real_name: 'handraise', is_bot: true });
  return workspace;
}

function channelOf(channels: ReadonlyMap<string, ChannelRecord>, id: string): ChannelRecord {
  const channel = channels.get(id);
  if (!channel) throw new Error(`The Slack double has no channel ${id}; there are: ${[...channels.keys()].join(', ')}`);
  return channel;
}
