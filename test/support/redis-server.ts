import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export interface RedisServerOptions {
  /** Further arguments of `redis-server`, such as `--appendonly yes`. */
  readonly args?: readonly string[];
}

/** A private redis-server on a unix socket in a folder of its own. */
export interface RedisServer {
  readonly socket: string;
  /** What `openRedisStore` takes. */
  readonly url: string;
  readonly pid: number;
  /** A plain connection, closed with the server. */
  readonly client: Redis;
  /** SIGKILL, as a crash would be. The folder stays. */
  kill(): Promise<void>;
  /** Starts it again on the same socket and folder. */
  restart(): Promise<void>;
  /** Stops it where it stands (SIGSTOP): connections stay and nothing answers; `resume` lets it go on. */
  freeze(): void;
  resume(): void;
  /** Kills it and removes its folder. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 10_000;

export async function startRedisServer({ args = [] }: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hr-redis-'));
  const socket = join(folder, 'redis.sock');
  let running = await start(folder, socket, args);
  let client = connect(socket);
  const kill = async () => {
    const gone = new Promise((resolve) => running.once('exit', resolve));
    if (running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await gone;
  };
  return {
    socket,
    url: `unix://${socket}`,
    get pid() {
      return running.pid ?? 0;
    },
    get client() {
      return client;
    },
    kill,
    async restart() {
      await kill();
      running = await start(folder, socket, args);
      client.disconnect();
      client = connect(socket);
    },
    freeze: () => void running.kill('SIGSTOP'),
    resume: () => void running.kill('SIGCONT'),
    async stop() {
      client.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function connect(path: string): Redis {
  const client = new Redis({ path, disableClientInfo: true });
  // A test that kills the server expects it; commands of the test reject by themselves.
  client.on('error', () => undefined);
  return client;
}

async function start(folder: string, socket: string, more: readonly string[]): Promise<ChildProcess> {
  rmSync(socket, { force: true });
  const place = ['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700', '--dir', folder];
  const quiet = ['--save', '', '--appendonly', 'no', '--daemonize', 'no'];
  const child = spawn('redis-server', [...place, ...quiet, ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ENOENT' ? missing(error) : error));
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${output}`)));
  });
  // Later exits are expected: kill and stop cause them.
  failed.catch(() => undefined);
  // Whatever ends this process early must not leave a server behind.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  try {
    await Promise.race([answers(socket), failed]);
  } catch (thrown) {
    kill();
    rmSync(folder, { recursive: true, force: true });
    throw thrown;
  }
  return child;
}

/** On a unix socket the server does not log that it is ready: ask it. */
async function answers(path: string): Promise<void> {
  const probe = new Redis({ path, retryStrategy: () => 5, maxRetriesPerRequest: null, disableClientInfo: true });
  probe.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('redis-server did not answer PING')), READY_WITHIN_MS);
    });
    await Promise.race([probe.ping(), late]);
  } finally {
    clearTimeout(timer);
    probe.disconnect();
  }
}

function missing(cause: Error): Error {
  return new Error(
    'These tests need a real redis-server, which is not installed. Get it with `apt-get update && apt-get install -y redis-server` (Debian), then run them again.',
    { cause },
  );
}
