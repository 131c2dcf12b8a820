import { HandraiseError } from '../../core/errors.ts';

/** Everything handraise keeps in Redis has this prefix, unless another one is configured. */
export const DEFAULT_PREFIX = 'handraise:';

/**
 * The parts of one request, each written by one side only: owners write `req`, `close` and `grant`, gateways the others. An
 * owner's ACL user can read all of them (docs/deploy.md).
 */
export type RequestPart =
  | 'req'
  | 'close'
  | 'verdict'
  | 'votes'
  | 'cards'
  | 'failures'
  | 'posting'
  | 'settled'
  // Interactions of which a refusal was audited.
  | 'refused'
  | 'draft'
  // Of the grant that came of it: the owner's, and what gateways say about it.
  | 'grant'
  | 'revoked'
  | 'lifted';

/** The only place that puts key and channel names together; `lua` is the same for scripts. */
export interface Keys {
  readonly prefix: string;
  request(requestId: string, part: RequestPart): string;
  /**
   * `queue` waiting ids in order · `shown` the id on the cards · `pending` pending id → newest id · `grants` those that
   * are not over, by when they were granted · `salt` of its digests.
   */
  session(sessionId: string, part: 'queue' | 'shown' | 'pending' | 'grants' | 'salt'): string;
  /** Threads of a session by place, or whose turn it is to begin one; gateways write it. */
  threads(sessionId: string): string;
  /** Unfinished requests of one owner. */
  ownersRequests(ownerId: string): string;
  /** Unfinished requests by creation. */
  readonly unfinished: string;
  /** Unfinished requests by the time at which a sweeper ends them, should their owner not have done it. */
  readonly due: string;
  /** Requests that have something for a gateway to do, by the time since when. */
  readonly work: string;
  /** Grants that are not over, by when they were granted. */
  readonly grants: string;
  /** Owners by the end of their lease. */
  readonly owners: string;
  /** Gateways by the end of their lease, and what each of them says about itself. */
  readonly gateways: string;
  readonly gatewayBodies: string;
  /** Stream: one entry an operation, its rows in fields `row`. */
  readonly audit: string;
  /** Hash: how far the audit is sealed. */
  readonly seal: string;
  /** Who seals, as long as the key lives. */
  readonly sealer: string;
  ownerChannel(ownerId: string): string;
  readonly requestsChannel: string;
  /** Lua functions and constants with the same names, for the head of every script. */
  readonly lua: string;
}

/** What an owner writes of a request: the KEYS of its scripts. */
export function ownersKeys(keys: Keys, requestId: string): [string, string] {
  return [keys.request(requestId, 'req'), keys.request(requestId, 'close')];
}

export function createKeys(prefix: string = DEFAULT_PREFIX): Keys {
  // It stands in Lua string literals and in ACL patterns.
  if (!/^[\w:.-]{1,64}$/.test(prefix)) {
    throw new HandraiseError(`"${prefix}" cannot be the prefix of Redis keys: use letters, digits, ":", "." and "-".`, {
      code: 'configuration',
    });
  }
  const names = {
    unfinished: `${prefix}unfinished`,
    due: `${prefix}due`,
    work: `${prefix}work`,
    grants: `${prefix}grants`,
    owners: `${prefix}owners`,
    gateways: `${prefix}gateways`,
    gatewayBodies: `${prefix}gateway-bodies`,
    audit: `${prefix}audit`,
    seal: `${prefix}audit-seal`,
    sealer: `${prefix}audit-sealer`,
    requestsChannel: `${prefix}wake:requests`,
  };
  return {
    prefix,
    ...names,
    request: (requestId, part) => `${prefix}{${requestId}}:${part}`,
    session: (sessionId, part) => `${prefix}session:${sessionId}:${part}`,
    threads: (sessionId) => `${prefix}threads:${sessionId}`,
    ownersRequests: (ownerId) => `${prefix}owner:${ownerId}:requests`,
    ownerChannel: (ownerId) => `${prefix}wake:owner:${ownerId}`,
    lua: [
      `local function request_key(id, part) return '${prefix}{' .. id .. '}:' .. part end`,
      `local function session_key(session, part) return '${prefix}session:' .. session .. ':' .. part end`,
      `local function owners_requests_key(owner) return '${prefix}owner:' .. owner .. ':requests' end`,
      `local function owner_channel(owner) return '${prefix}wake:owner:' .. owner end`,
      `local UNFINISHED, DUE, WORK = '${names.unfinished}', '${names.due}', '${names.work}'`,
      `local OWNERS, GATEWAYS, BODIES = '${names.owners}', '${names.gateways}', '${names.gatewayBodies}'`,
      `local GRANTS = '${names.grants}'`,
      `local AUDIT, REQUESTS_CHANNEL = '${names.audit}', '${names.requestsChannel}'`,
    ].join('\n'),
  };
}
