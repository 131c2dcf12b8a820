import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { SIGNING_ENV, VERDICT_KEYS } from '../support/verdict-keys.ts';
import { type Cards, createCards } from './cards.ts';
import type { Chat } from './chat.ts';
import { openDiscord } from './discord-chat.ts';
import { createGateway, type GatewayProcess } from './gateways.ts';
import type { ChatPlatform } from './history.ts';
import { createOwner, type OwnerProcess } from './owners.ts';
import { comeFirst } from './priority.ts';
import { openSlack } from './slack-chat.ts';

export interface StageOptions {
  /** Every request has a card on each. */
  readonly platforms: readonly ChatPlatform[];
  readonly gateways: number;
  readonly owners: number;
  readonly channels: number;
  readonly requests: number;
  readonly seed: number;
  /** The double's rate limits are counted on a clock this many times faster than the processes'. */
  readonly faster: number;
  /** Of owners; default the real one. */
  readonly leaseMs?: number | undefined;
  /** Something ended, or could not be started, that should not. */
  readonly onFailure: (why: string) => void;
  /** An owner has got all its replies. */
  readonly onDone: () => void;
}

/** Redis, chat platforms with their channels, gateways and owners as processes, and a proxy between each of them and Redis. */
export interface Stage {
  readonly folder: string;
  readonly redis: RedisServer;
  readonly chats: readonly Chat[];
  readonly cards: Cards;
  readonly gateways: readonly GatewayProcess[];
  readonly gatewayProxies: readonly CuttingProxy[];
  readonly owners: readonly OwnerProcess[];
  readonly ownerProxies: readonly CuttingProxy[];
  /** Kills what runs. The folder stays when `keep` is true. */
  close(keep: boolean): Promise<void>;
}

/** Nothing runs yet but Redis and the platforms: whoever opened the stage starts gateways, then owners. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { onFailure, onDone } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hr-chaos-'));
  const redis = await startRedisServer({ args: ['--appendonly', 'yes'] });
  comeFirst(process.pid);
  comeFirst(redis.pid);
  const cards = createCards();
  const chats = await Promise.all(options.platforms.map((platform) => OPEN[platform](options, cards)));
  const workspaceOf = (lane: number) => `/chaos/${lane}`;
  const config = join(folder, 'gateway.json');
  writeFileSync(
    config,
    JSON.stringify({
      gateway: { listen: '127.0.0.1:0' },
      bindings: Array.from({ length: options.channels }, (_, at) => ({
        match: { workspace: workspaceOf(at) },
        ...Object.assign({}, ...chats.map(({ places }) => places[at])),
        questions: { wait: '60s' },
      })),
    }),
  );
  const proxies = (count: number) => Promise.all(Array.from({ length: count }, () => startCuttingProxy(redis.socket)));
  const gatewayProxies = await proxies(options.gateways);
  const ownerProxies = await proxies(options.owners);
  const gateways = gatewayProxies.map(({ url }, at) =>
    createGateway({
      name: `gateway${at + 1}`,
      folder,
      onFailure,
      env: {
        ...Object.assign({}, ...chats.map((chat) => chat.env)),
        HANDRAISE_REDIS_URL: url,
        HANDRAISE_CONFIG: config,
        ...SIGNING_ENV,
      },
    }),
  );
  const lanes = shareOut(options, workspaceOf);
  const owners = ownerProxies.map(({ url }, at) => {
    const own = join(folder, `o${at + 1}`);
    mkdirSync(own);
    const mine = lanes.filter((_, lane) => lane % options.owners === at);
    return createOwner({
      ...{
        name: `o${at + 1}`,
        folder: own,
        redisUrl: url,
        leaseMs: options.leaseMs,
        lanes: mine,
        verdictKeys: VERDICT_KEYS,
      },
      ...{ onFailure, onDone },
    });
  });
  return {
    ...{ folder, redis, chats, cards, gateways, gatewayProxies, owners, ownerProxies },
    async close(keep) {
      await Promise.all([...gateways, ...owners].map((one) => one.kill()));
      await Promise.all([...gatewayProxies, ...ownerProxies].map((proxy) => proxy.close()));
      await Promise.all([...chats.map((chat) => chat.close()), redis.stop()]);
      if (!keep) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const OPEN = { slack: openSlack, discord: openDiscord } as const;

/** One session a channel, the questions dealt out to them one by one. */
function shareOut({ channels, requests }: StageOptions, workspaceOf: (lane: number) => string) {
  const keys = Array.from({ length: requests }, (_, at) => `q${String(at + 1).padStart(4, '0')}`);
  return Array.from({ length: channels }, (_, lane) => ({
    workspace: workspaceOf(lane),
    keys: keys.filter((_key, at) => at % channels === lane),
  }));
}
