import type { RedisOptions } from 'ioredis';
import { HandraiseError } from '../../core/errors.ts';

/** How to reach the server; the part of ioredis' options that comes from its URL. */
export type RedisAddress = Pick<
  RedisOptions,
  'host' | 'port' | 'path' | 'username' | 'password' | 'db' | 'tls' | 'sentinels' | 'name'
>;

const FORMS =
  'redis://host:6379, rediss://host:6379, unix:///path/to/redis.sock, redis-sentinel://a:26379,b:26379/name';

/**
 * Reads a Redis URL: `redis:` or `rediss:` (TLS), `unix:` for a socket, `redis-sentinel:` with the name of the primary
 * as its path. User, password and `?db=` work in all of them. Throws `configuration`; the message never repeats the URL,
 * since it may hold a password.
 */
export function parseRedisUrl(text: string): RedisAddress {
  const sentinel = /^redis-sentinel:\/\/(?:([^@/]*)@)?([^/?]+)\/([^/?]+)(?:\?(.*))?$/.exec(text);
  if (sentinel !== null) return sentinelAddress(sentinel);
  // URL takes no user without a host, and a socket has none.
  const socket = /^unix:\/\/(?:([^@/]*)@)?(\/[^?]+)(?:\?(.*))?$/.exec(text);
  if (socket !== null) return socketAddress(socket);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['redis:', 'rediss:'].includes(url.protocol)) {
    throw wrong(`The Redis URL has none of the known forms: ${FORMS}.`);
  }
  const common = { ...credentials(url.username, url.password), ...database(url.searchParams.get('db')) };
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1',
    port: url.port === '' ? 6379 : Number(url.port),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    ...database(url.pathname.slice(1) || null),
    ...common,
  };
}

/** Where that is, without the password. */
export function redisInWords({ path, host, port, sentinels, name, username, db, tls }: RedisAddress): string {
  const servers = sentinels?.map((one) => `${one.host}:${one.port}`).join(', ');
  const where = path ?? (servers === undefined ? `${host}:${port}` : `${name} of the sentinels ${servers}`);
  return [
    where,
    ...(tls === undefined ? [] : ['by TLS']),
    ...(username === undefined ? [] : [`as user ${username}`]),
    ...(db === undefined ? [] : [`database ${db}`]),
  ].join(', ');
}

function socketAddress([, userInfo = '', path = '', query = '']: RegExpExecArray): RedisAddress {
  return {
    path: decodeURIComponent(path),
    ...fromUserInfo(userInfo),
    ...database(new URLSearchParams(query).get('db')),
  };
}

function sentinelAddress([, userInfo = '', hosts = '', name = '', query = '']: RegExpExecArray): RedisAddress {
  const sentinels = hosts.split(',').map((one) => {
    const [, host, port = '26379'] = /^([^:]+)(?::(\d+))?$/.exec(one.trim()) ?? [];
    if (host === undefined) throw wrong('A sentinel in the Redis URL is not host:port.');
    return { host, port: Number(port) };
  });
  return {
    sentinels,
    name: decodeURIComponent(name),
    ...fromUserInfo(userInfo),
    ...database(new URLSearchParams(query).get('db')),
  };
}

function fromUserInfo(userInfo: string): RedisAddress {
  const [user = '', ...password] = userInfo.split(':');
  return credentials(user, password.join(':'));
}

function credentials(username: string, password: string): RedisAddress {
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

function database(db: string | null): RedisAddress {
  if (db === null) return {};
  if (!/^\d{1,4}$/.test(db))
    throw wrong('The database in the Redis URL must be a number, such as redis://host:6379/1.');
  return { db: Number(db) };
}

function wrong(sentence: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'configuration', hint: 'Set HANDRAISE_REDIS_URL, or redis.url.' });
}
