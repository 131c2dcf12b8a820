import type { Binding } from '../config/schema.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import { placesOf } from './surfaces.ts';

/** Which channels of the bindings cannot be posted to, and why. */
export interface CheckedPlaces {
  /** For people: what is wrong and what to do about it. Undefined when the binding's cards can be posted. */
  refusedFor(binding: Binding): string | undefined;
  /** Looks again at those that were refused. */
  recheck(): Promise<void>;
}

/**
 * Looks at every channel. One that refuses is logged, and the runs that are bound to it are told; the others go on.
 * Throws when all of them refuse: then something is wrong with the token, or with the whole configuration.
 */
export async function checkPlaces(
  bindings: readonly Binding[],
  adapter: SurfaceAdapter,
  log: Logger,
): Promise<CheckedPlaces> {
  const places = new Map(bindings.flatMap(placesOf).map((place) => [place.channel, place]));
  const refused = new Map<string, string>();
  let last: unknown;
  const check = async (channels: Iterable<string>) => {
    for (const channel of channels) {
      const place = places.get(channel);
      try {
        if (place !== undefined) await adapter.checkPlace(place);
        if (refused.delete(channel)) log.info({ channel }, 'a channel can be posted to again');
      } catch (error) {
        last = error;
        const hint = error instanceof HandraiseError && error.hint !== undefined ? ` ${error.hint}` : '';
        const sentence = `${channel}: ${sentenceOf(error)}${hint}`;
        if (refused.get(channel) !== sentence)
          log.error({ channel, reason: sentence }, 'a channel cannot be posted to');
        refused.set(channel, sentence);
      }
    }
  };
  await check(places.keys());
  if (refused.size > 0 && refused.size === places.size) throw last;
  return {
    refusedFor: ({ slack }) => (slack === undefined ? undefined : refused.get(slack.channel)),
    recheck: () => check([...refused.keys()]),
  };
}
