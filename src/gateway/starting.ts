import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceAdapter, SurfaceHost } from '../core/ports/surface-adapter.ts';

/** How long after a failed start the next one is tried. */
const RETRY_MS = 10_000;

/** Adapters that are started, or are still to be. */
export interface Surfaces {
  /** Rejects, with all of them stopped, when none can be started, or when one cannot and nobody is to wait for it. */
  start(host: SurfaceHost): Promise<void>;
  stop(graceMs: number): Promise<void>;
}

/**
 * `patient`: a gateway that stays serves the platforms that work and tries the others again, so that an outage of one
 * takes nothing from the other. A run of its own fails at once instead: whoever started it reads why.
 */
export function startingOf(
  adapters: readonly SurfaceAdapter[],
  { patient, clock, log }: { readonly patient: boolean; readonly clock: Clock; readonly log: Logger },
): Surfaces {
  const started = new Set<SurfaceAdapter>();
  const retries = new Set<() => void>();
  let isStopped = false;

  const again = (adapter: SurfaceAdapter, host: SurfaceHost, why: unknown) => {
    log.error({ platform: adapter.platform, reason: sentenceOf(why) }, 'a platform cannot be started; trying again');
    const cancel = clock.after(RETRY_MS, () => {
      retries.delete(cancel);
      void adapter.start(host).then(
        () => {
          started.add(adapter);
          return isStopped ? adapter.stop(0) : undefined;
        },
        (error: unknown) => {
          if (!isStopped) again(adapter, host, error);
        },
      );
    });
    retries.add(cancel);
  };

  const stop = async (graceMs: number) => {
    isStopped = true;
    for (const cancel of retries) cancel();
    await Promise.all([...started].map((adapter) => adapter.stop(graceMs)));
  };

  return {
    async start(host) {
      const failures: { adapter: SurfaceAdapter; error: unknown }[] = [];
      for (const adapter of adapters) {
        try {
          await adapter.start(host);
          started.add(adapter);
        } catch (error) {
          failures.push({ adapter, error });
          if (!patient) break;
        }
      }
      const [first] = failures;
      if (first !== undefined && (!patient || started.size === 0)) {
        await stop(0);
        throw first.error;
      }
      for (const { adapter, error } of failures) again(adapter, host, error);
    },
    stop,
  };
}
