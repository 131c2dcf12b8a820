import { bindingFor } from '../config/binding.ts';
import { type PublishedBinding, readPublished } from '../config/published.ts';
import type { Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import type { Clock } from '../core/clock.ts';
import { HandraiseError } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { GatewayLease } from '../core/ports/leases.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import type { SessionFacts } from '../core/request.ts';
import { ChatPrompter } from '../prompt/chat-prompter.ts';
import { keepLease, OWNER_LEASE_MS } from '../store/keep-lease.ts';
import { openRedisStore } from '../store/redis/open.ts';
import { Undo } from './undo.ts';

export interface SharedOwnerOptions {
  readonly config: Config;
  readonly redisUrl: Secret;
  readonly session: SessionFacts;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  /** How long it may be away before its requests end as `owner_lost`, in ms. Default `OWNER_LEASE_MS`. */
  readonly leaseMs?: number;
}

export interface SharedOwner {
  readonly prompter: Prompter;
  /** Gives the owner's lease back and disconnects. Every call must have ended before. */
  stop(): Promise<void>;
}

/**
 * The owner's side where gateways run apart and Redis is between: no chat token and no binding of its own, both are the
 * gateways'. Undefined when no binding of theirs lets this session ask. Throws `unavailable` when Redis cannot be
 * reached, no gateway is alive, or none can post for the binding.
 */
export async function openSharedOwner(options: SharedOwnerOptions): Promise<SharedOwner | undefined> {
  const { config, redisUrl, session, clock, newId, log, leaseMs = OWNER_LEASE_MS } = options;
  const undo = new Undo(log);
  try {
    const store = await openRedisStore({ url: redisUrl.reveal(), clock, log });
    undo.add(() => store.stop());
    const binding = bindingAmong(await store.leases.liveGateways(), session);
    if (binding === undefined || binding.mode === 'deny') {
      await undo.all(0);
      return undefined;
    }
    const ownerId = newId();
    const hold = (forMs: number) => store.leases.holdOwner(ownerId, forMs);
    const lease = await keepLease({ hold, forMs: leaseMs, what: 'owner', clock, log });
    undo.add(async () => {
      await lease.stop();
      await store.leases.releaseOwner(ownerId);
    });
    const prompter = await ChatPrompter.start({
      store,
      ownerId,
      session,
      // Deadlines are Redis' to judge, so that the clocks of two machines may differ.
      clock: store.clock,
      newId,
      log,
      waitMs: config.waitMs ?? binding.waitMs,
      surfaces: binding.surfaces,
    });
    undo.add(() => prompter.stop());
    return { prompter, stop: () => undo.all(0) };
  } catch (error) {
    await undo.all(0);
    throw error;
  }
}

/** What the gateways say about this session: the first that can post for it, else whoever knows it. */
function bindingAmong(leases: readonly GatewayLease[], session: SessionFacts): PublishedBinding | undefined {
  if (leases.length === 0) {
    throw new HandraiseError('No handraise gateway is connected to this Redis.', {
      code: 'unavailable',
      hint: 'Start `handraise gateway` with the same Redis, or unset HANDRAISE_REDIS_URL to ask without one.',
    });
  }
  const published = leases.flatMap(({ body }) => readPublished(body) ?? []);
  if (published.length === 0 && leases.every(({ body }) => readPublished(body) === undefined)) {
    throw new HandraiseError('The gateways on this Redis are of another version of handraise.', {
      code: 'unavailable',
      hint: 'Install the same version for gateways and runs.',
    });
  }
  const bound = leases.flatMap(({ body }) => bindingFor(readPublished(body) ?? [], session) ?? []);
  const [binding = undefined] = bound.toSorted((a, b) => Number(isRefused(a)) - Number(isRefused(b)));
  if (binding !== undefined && binding.mode === 'ask' && binding.refused !== undefined) {
    throw new HandraiseError('No gateway can post to the channel of this run.', {
      code: 'unavailable',
      hint: binding.refused,
    });
  }
  return binding;
}

function isRefused({ refused }: PublishedBinding): boolean {
  return refused !== undefined;
}
