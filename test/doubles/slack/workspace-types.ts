export interface AddUser {
  readonly id?: string;
  /** Handle. Default `user1`, `user2`, … */
  readonly name?: string;
  readonly real_name?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  /** Somebody of another team, seen through a shared channel. Gets a team id of its own unless `team_id` is given. */
  readonly is_stranger?: boolean;
  readonly team_id?: string;
}

/** Mutable: a test may deactivate somebody, or make them a guest, in the middle. */
export interface UserRecord {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  readonly real_name: string;
  deleted: boolean;
  is_bot: boolean;
  is_restricted: boolean;
  is_ultra_restricted: boolean;
  is_stranger: boolean;
}

export interface AddChannel {
  readonly id?: string;
  readonly name?: string;
  /** User ids. Default: every user added so far. */
  readonly members?: readonly string[];
  readonly is_private?: boolean;
  /** Default true. */
  readonly botIsMember?: boolean;
}

export interface ChannelRecord {
  readonly id: string;
  readonly name: string;
  readonly is_private: boolean;
  is_archived: boolean;
  readonly members: Set<string>;
}

export interface AddUserGroup {
  readonly id?: string;
  readonly handle: string;
  readonly users: readonly string[];
}

export interface GroupRecord {
  readonly id: string;
  readonly handle: string;
  readonly users: Set<string>;
}
