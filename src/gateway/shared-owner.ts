import { bindingFor } from '../config/binding.ts';
import { DEFAULT_GATE_CONFIG, type GateConfig } from '../config/gate.ts';
import { grantTerms } from '../config/grant-terms.ts';
import type { Publication, PublishedBinding } from '../config/published.ts';
import type { Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import type { Clock } from '../core/clock.ts';
import { HandraiseError } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { GrantStore } from '../core/ports/grant-store.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Prompter } from '../core/ports/prompter.ts';
import type { RequestStore } from '../core/ports/request-store.ts';
import type { VerifyVerdict } from '../core/ports/verdict-trust.ts';
import type { Redactor } from '../core/redact/redactor.ts';
import type { SessionFacts } from '../core/request.ts';
import { ChatPrompter } from '../prompt/chat-prompter.ts';
import { keepLease, OWNER_LEASE_MS } from '../store/keep-lease.ts';
import { openRedisStore } from '../store/redis/open.ts';
import { readVerdictKey, type VerdictKey } from '../trust/keys.ts';
import { createVerdictVerifier } from '../trust/verdicts.ts';
import { trustedLeases } from './signed-leases.ts';
import { Undo } from './undo.ts';

export interface SharedOwnerOptions {
  readonly config: Config;
  readonly redisUrl: Secret;
  readonly session: SessionFacts;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  /** Masks what leaves the process. Default: one that knows no values and no commands. */
  readonly redactor?: Redactor;
  /** How long it may be away before its requests end as `owner_lost`, in ms. Default `OWNER_LEASE_MS`. */
  readonly leaseMs?: number;
}

export interface SharedOwner {
  readonly prompter: Prompter;
  readonly ownerId: string;
  readonly grants: GrantStore;
  readonly requests: Pick<RequestStore, 'read'>;
  readonly verify: VerifyVerdict;
  /** The store's, by which deadlines and time limits are judged. */
  readonly clock: Clock;
  /** The gateway's own: what the owner's configuration says about the gate does not count here. */
  readonly gate: GateConfig;
  /** Gives the owner's lease back and disconnects. Every call must have ended before. */
  stop(): Promise<void>;
}

/**
 * The owner's side where gateways run apart and Redis is between: no chat token and no binding of its own, both are the
 * gateways'. Undefined when no binding of theirs lets this session ask. Throws `configuration` without a
 * pinned key, `unavailable` when Redis cannot be reached, no gateway whose key is pinned is alive, or none can post for
 * the binding.
 */
export async function openSharedOwner(options: SharedOwnerOptions): Promise<SharedOwner | undefined> {
  const { config, redisUrl, session, clock, newId, log, redactor, leaseMs = OWNER_LEASE_MS } = options;
  const keys = pinnedKeys(config);
  const undo = new Undo(log);
  try {
    const store = await openRedisStore({ url: redisUrl.reveal(), clock, log });
    undo.add(() => store.stop());
    const leases = await store.leases.liveGateways();
    const found = bindingAmong(trustedLeases(leases, keys, store.clock.now(), log), session);
    const binding = found?.binding;
    if (binding === undefined || binding.mode === 'deny') {
      await undo.all(0);
      return undefined;
    }
    const ownerId = newId();
    const verify = createVerdictVerifier(keys);
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
      ...(redactor === undefined ? {} : { redactor }),
      // Deadlines are Redis' to judge, so that the clocks of two machines may differ.
      clock: store.clock,
      newId,
      log,
      verify,
      waitMs: config.waitMs ?? binding.waitMs,
      ...(binding.grants && {
        grants: grantTerms(config.waitMs ?? binding.grants.waitMs, {
          write: binding.grants.approvable,
          external: binding.grants.external ?? binding.grants.approvable,
        }),
      }),
      surfaces: binding.surfaces,
    });
    undo.add(() => prompter.stop());
    return {
      prompter,
      ownerId,
      grants: store.grants,
      requests: store,
      verify,
      clock: store.clock,
      gate: found?.gate ?? DEFAULT_GATE_CONFIG,
      stop: () => undo.all(0),
    };
  } catch (error) {
    await undo.all(0);
    throw error;
  }
}

function pinnedKeys({ trust }: Config): readonly VerdictKey[] {
  if (trust !== undefined && trust.verdictKeys.length > 0) return trust.verdictKeys.map(readVerdictKey);
  throw new HandraiseError('Over Redis a run has to know which gateways to believe, and no key of one is pinned.', {
    code: 'configuration',
    hint: 'Set HANDRAISE_VERDICT_KEYS or trust.verdictKeys to what `handraise gateway keys show` prints at the gateway.',
  });
}

/** What the gateways say about this session: the first that can post for it, else whoever knows it. */
function bindingAmong(published: readonly Publication[], session: SessionFacts): Found | undefined {
  const bound = published.flatMap(({ bindings, gate }): Found[] => {
    const binding = bindingFor(bindings, session);
    return binding === undefined ? [] : [{ binding, gate }];
  });
  const [found = undefined] = bound.toSorted((a, b) => Number(isRefused(a.binding)) - Number(isRefused(b.binding)));
  const binding = found?.binding;
  if (binding !== undefined && binding.mode === 'ask' && binding.refused !== undefined) {
    throw new HandraiseError('No gateway can post to the channel of this run.', {
      code: 'unavailable',
      hint: binding.refused,
    });
  }
  return found;
}

interface Found {
  readonly binding: PublishedBinding;
  readonly gate: GateConfig | undefined;
}

function isRefused({ refused }: PublishedBinding): boolean {
  return refused !== undefined;
}
