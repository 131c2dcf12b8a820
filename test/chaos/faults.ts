import { setTimeout as sleep } from 'node:timers/promises';
import type { CuttingProxy } from '../support/cutting-proxy.ts';
import type { RedisServer } from '../support/redis-server.ts';
import type { Chat } from './chat.ts';
import type { GatewayProcess } from './gateways.ts';
import type { OwnerProcess } from './owners.ts';
import type { CommonFault, PlannedFault } from './plan.ts';
import { comeFirst } from './priority.ts';

/** What faults are done to. Each process reaches Redis through a proxy of its own, at the same index. */
export interface Victims {
  readonly gateways: readonly GatewayProcess[];
  readonly gatewayProxies: readonly CuttingProxy[];
  readonly owners: readonly OwnerProcess[];
  readonly ownerProxies: readonly CuttingProxy[];
  readonly redis: RedisServer;
  readonly chats: readonly Chat[];
}

export interface Faults {
  readonly counts: Readonly<Record<string, number>>;
  /** No further fault; resolves when everything that was killed runs again. */
  stop(): Promise<void>;
}

export interface FaultOptions {
  /** How much has been done so far, in any unit. */
  readonly progress: () => number;
  /** Hears of what could not be done or started again. */
  readonly onFailure: (why: string) => void;
}

/** Without progress the next fault waits, so that a slow machine sees as many faults a question as a fast one; but not for ever. */
const WAITS_AT_MOST_MS = 6_000;
const LOOKS_EVERY_MS = 100;

/** Lets the plan happen. */
export function startFaults(
  victims: Victims,
  plan: Iterator<PlannedFault>,
  { progress, onFailure }: FaultOptions,
): Faults {
  const counts: Record<string, number> = {};
  const stopping = new AbortController();
  const recoveries = new Set<Promise<void>>();
  let redisIsBack: Promise<void> = Promise.resolve();

  const again = (downMs: number, start: () => void | Promise<void>): Promise<void> => {
    const recovery: Promise<void> = sleep(downMs)
      .then(start)
      .catch((error: unknown) => onFailure(String(error)))
      .finally(() => recoveries.delete(recovery));
    recoveries.add(recovery);
    return recovery;
  };

  const happen = async (fault: PlannedFault): Promise<boolean> => {
    const { which, downMs } = fault;
    const of = <T>(all: readonly T[]): T | undefined => all[which % all.length];
    const { gateways, gatewayProxies, owners, ownerProxies, redis, chats } = victims;
    /** Each returns false when there was nothing to do it to. */
    const common: Readonly<Record<CommonFault, () => unknown>> = {
      'kill gateway': async () => {
        // One in five may leave none.
        const isLast = gateways.filter(({ isReady }) => isReady).length <= 1;
        const gateway = of(gateways);
        if (gateway?.isReady !== true || (isLast && which % 5 > 0)) return false;
        await gateway.kill();
        void again(downMs, () => gateway.start());
        return true;
      },
      'kill owner': async () => {
        const owner = of(owners.filter(({ isRunning }) => isRunning));
        if (owner === undefined) return false;
        await owner.kill();
        void again(downMs, () => owner.start());
        return true;
      },
      'kill redis': async () => {
        await redisIsBack;
        await redis.kill();
        redisIsBack = again(downMs, async () => {
          await redis.restart();
          comeFirst(redis.pid);
        });
        return true;
      },
      'cut gateway': () => of(gatewayProxies)?.cut(),
      'cut owner': () => of(ownerProxies)?.cut(),
      'half-open gateway': () => of(gatewayProxies)?.hush(),
      'half-open owner': () => of(ownerProxies)?.hush(),
      'half-open subscriber of a gateway': () => of(gatewayProxies)?.hushSubscribers(),
      'half-open subscriber of an owner': () => of(ownerProxies)?.hushSubscribers(),
      // The claim alone has the verdict's key first; an owner writes requests and their ends.
      'lost reply to a claim': () => void of(gatewayProxies)?.cutReplyTo(':verdict'),
      'lost reply to an owner': () => void of(ownerProxies)?.cutReplyTo(':close'),
    };
    const onPlatform = chats.map(({ faults }) => faults[fault.kind]).find((found) => found !== undefined);
    const act = Object.entries(common).find(([kind]) => kind === fault.kind)?.[1] ?? onPlatform;
    if (act === undefined) throw new Error(`nobody knows how to make "${fault.kind}"`);
    return (await act(which, downMs)) !== false;
  };

  const running = (async () => {
    for (;;) {
      const { value: fault } = plan.next();
      const before = progress();
      await sleep(fault.afterMs, undefined, { signal: stopping.signal });
      for (let waited = 0; progress() === before && waited < WAITS_AT_MOST_MS; waited += LOOKS_EVERY_MS) {
        await sleep(LOOKS_EVERY_MS, undefined, { signal: stopping.signal });
      }
      if (await happen(fault)) counts[fault.kind] = (counts[fault.kind] ?? 0) + 1;
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) onFailure(`a fault could not be made: ${String(error)}`);
  });

  return {
    counts,
    async stop() {
      stopping.abort();
      await running;
      while (recoveries.size > 0) await Promise.all(recoveries);
      for (const chat of victims.chats) chat.clearFaults();
    },
  };
}
