import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { WebSocket } from 'ws';
import { type RawHops, startHops } from './raw-hops.ts';

/**
 * The way of a click over Redis without anything of ours on it, in as many processes: a WebSocket frame arrives
 * (gateway), a script writes a hash and publishes (EVALSHA), the message arrives (owner), the hash is read (GET's kind),
 * and a line goes over a unix socket (bridge) and down a pipe (agent). Run as a program with a role, it plays one of them.
 */
const HERE = fileURLToPath(import.meta.url);
const CHANNEL = 'raw';
const WRITE = "redis.call('SET', KEYS[1], ARGV[1]) return redis.call('PUBLISH', ARGV[2], KEYS[1])";

const [role, first = '', second = ''] = process.argv.slice(2);
if (role === 'raw-gateway') await runGateway(first, second);
if (role === 'raw-redis-owner') await runOwner(first, second);

/** Starts the four processes and a WebSocket server that plays Slack. `redis`: path of a server's socket. */
export function startRawRedisHops(redis: string): Promise<RawHops> {
  return startHops((url, directory) => [
    [HERE, 'raw-redis-owner', directory, redis],
    [HERE, 'raw-gateway', url, redis],
  ]);
}

async function runOwner(directory: string, path: string): Promise<void> {
  const [heard, read] = [new Redis({ path }), new Redis({ path })];
  let bridge: Socket | undefined;
  const early: string[] = [];
  // The bridge knows that it is connected before this side does: what comes in between waits for it.
  heard.on('message', (_, key) => {
    void read.get(key).then((line) => {
      if (bridge === undefined) early.push(`${line ?? ''}\n`);
      else bridge.write(`${line ?? ''}\n`);
    });
  });
  await heard.subscribe(CHANNEL);
  createServer((connected) => {
    bridge = connected;
    for (const line of early.splice(0)) connected.write(line);
    connected.on('close', () => process.exit(0));
  }).listen(join(directory, 's'), () => process.stdout.write('ready\n'));
}

async function runGateway(url: string, path: string): Promise<void> {
  const redis = new Redis({ path });
  const sha = String(await redis.script('LOAD', WRITE));
  const slack = new WebSocket(url);
  let frames = 0;
  slack.on('message', (data) => {
    const line = JSON.stringify(JSON.parse(String(data)));
    slack.send('{"envelope_id":"e"}');
    frames += 1;
    void redis.evalsha(sha, 1, `raw:${frames}`, line, CHANNEL);
  });
  slack.on('open', () => process.stdout.write('ready\n'));
}
