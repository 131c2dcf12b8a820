import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../../../src/store/redis/address.ts';

const SECRET = ['s3', 'cret'].join('-');

describe('a Redis URL', () => {
  it.each([
    ['redis://127.0.0.1', { host: '127.0.0.1', port: 6379 }],
    ['redis://redis.internal:6380/2', { host: 'redis.internal', port: 6380, db: 2 }],
    ['redis://[::1]:6380?db=3', { host: '::1', port: 6380, db: 3 }],
    ['rediss://cache:6379', { host: 'cache', port: 6379, tls: {} }],
    [`redis://owner:${SECRET}@cache`, { host: 'cache', port: 6379, username: 'owner', password: SECRET }],
    ['redis://:p%40ss%3Aword@cache', { host: 'cache', port: 6379, password: 'p@ss:word' }],
    ['unix:///run/redis/redis.sock', { path: '/run/redis/redis.sock' }],
    ['unix:///run/with%20space.sock?db=1', { path: '/run/with space.sock', db: 1 }],
    [`unix://owner:${SECRET}@/run/redis.sock`, { path: '/run/redis.sock', username: 'owner', password: SECRET }],
    [
      `redis-sentinel://owner:${SECRET}@one:26379,two/primary?db=4`,
      {
        sentinels: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 26379 },
        ],
        name: 'primary',
        username: 'owner',
        password: SECRET,
        db: 4,
      },
    ],
  ])('%s is understood', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    'cache:6379',
    'http://cache:6379',
    '/run/redis.sock',
    '',
    'redis://cache/one',
    'redis://cache?db=-1',
    'redis-sentinel://one:26379',
    'redis-sentinel://one:x/primary',
    `redis://owner:${SECRET}@cache:99999`,
    `redis://owner:${SECRET}%@cache`,
    `unix://owner:${SECRET}%zz@/run/redis.sock`,
    `unix://owner:${SECRET}@/run/100%.sock`,
    `redis-sentinel://owner:${SECRET}%@one/primary`,
  ])('%s is refused as configuration, without being repeated', (url) => {
    let thrown: unknown;
    try {
      parseRedisUrl(url);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'configuration', hint: expect.stringContaining('HANDRAISE_REDIS_URL') });
    expect(String(thrown)).not.toContain(SECRET);
  });
});
