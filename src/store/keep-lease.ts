import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';

/**
 * How long an owner may be away before its requests are ended: longer than a Redis restart or a failover takes, and
 * short enough that a card of a killed run does not look alive for long.
 */
export const OWNER_LEASE_MS = 30_000;

/** How long owners count on a gateway of which nothing is heard (architecture.md invariant 8). */
export const GATEWAY_LEASE_MS = 10_000;

/** Renewals a lease survives without: a third of its time passes between two. */
const RENEWALS_A_LEASE = 3;

/** Pause after a renewal that failed: once the store is back, the lease has to be renewed before anybody judges it. */
const RETRY_MS = 1_000;

export interface KeptLease {
  /** Renews no more; giving it back is the caller's. Resolves once no renewal is under way. */
  stop(): Promise<void>;
}

export interface KeepLeaseOptions {
  /** Takes or renews it. */
  readonly hold: (forMs: number) => Promise<void>;
  readonly forMs: number;
  /** For the log. */
  readonly what: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Takes a lease and renews it until stopped. Rejects when it cannot be taken at first; later failures are logged and
 * tried again a second later.
 */
export async function keepLease({ hold, forMs, what, clock, log }: KeepLeaseOptions): Promise<KeptLease> {
  await hold(forMs);
  let stopped = false;
  let renewing: Promise<void> = Promise.resolve();
  let cancel: () => void = () => undefined;
  const everyMs = forMs / RENEWALS_A_LEASE;
  const renew = async () => {
    let pauseMs = everyMs;
    try {
      await hold(forMs);
    } catch (thrown) {
      pauseMs = Math.min(RETRY_MS, everyMs);
      log.warn({ what, error: sentenceOf(thrown) }, 'a lease could not be renewed');
    }
    if (!stopped) later(pauseMs);
  };
  const later = (pauseMs: number) => {
    cancel = clock.after(pauseMs, () => {
      renewing = renew();
    });
  };
  later(everyMs);
  return {
    async stop() {
      stopped = true;
      cancel();
      await renewing;
    },
  };
}
