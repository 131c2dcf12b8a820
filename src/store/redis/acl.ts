import type { Keys } from './keys.ts';

/** What owners run themselves, and what their scripts run for them. */
const COMMANDS = [
  ['ping', 'info', 'select', 'client|setname', 'eval', 'evalsha', 'subscribe', 'unsubscribe', 'publish', 'time'],
  [
    'exists',
    'pexpire',
    'pttl',
    'del',
    'get',
    'set',
    'hget',
    'hmget',
    'hset',
    'hdel',
    'hincrby',
    'lrange',
    'rpush',
    'lrem',
  ],
  ['zrange', 'zrangebyscore', 'zadd', 'zrem', 'sadd', 'srem'],
].flat();

/**
 * The rules of a Redis user for owners, as `ACL SETUSER name on >password` takes them: it can open requests, wait for
 * them, end its own, record and use grants and write audit rows, and it can neither record a verdict or a card, nor make
 * good what was taken back, nor read or remove the audit.
 * What is not sealed yet it can still push out by `XADD … MAXLEN`, which no rule can keep apart from XADD.
 */
export function ownerRules(keys: Keys): readonly string[] {
  const request = (part: Parameters<Keys['request']>[1]) => keys.request('*', part);
  const own = [request('req'), request('close'), request('grant')];
  const both = [...own, `${keys.prefix}session:*`, keys.ownersRequests('*')];
  const indexes = [keys.unfinished, keys.due, keys.work, keys.owners, keys.grants];
  const readOnly = [
    request('verdict'),
    request('votes'),
    request('cards'),
    request('failures'),
    request('posting'),
    request('revoked'),
    request('lifted'),
    keys.gateways,
    keys.gatewayBodies,
  ];
  return [
    ...['resetkeys', 'resetchannels', '-@all'],
    ...[...both, ...indexes].map((key) => `~${key}`),
    ...readOnly.map((key) => `%R~${key}`),
    ...[keys.ownerChannel('*'), keys.requestsChannel].map((channel) => `&${channel}`),
    ...COMMANDS.map((command) => `+${command}`),
    // A selector of its own: with the key among the others, DEL, SET and PEXPIRE would take the audit away.
    '(+xadd',
    `%W~${keys.audit})`,
  ];
}

/** The rules of a Redis user for gateways: everything of ours, and nothing of the server's own. */
export function gatewayRules(keys: Keys): readonly string[] {
  const [ours, wakes] = [`~${keys.prefix}*`, `&${keys.prefix}wake:*`];
  return ['resetkeys', 'resetchannels', ours, wakes, '+@all', '-@admin', '-@dangerous', '+info'];
}
