import type { Binding } from '../config/schema.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Place, SurfaceAdapter } from '../core/ports/surface-adapter.ts';
import { placesOf } from './surfaces.ts';

/** Which channels of the bindings cannot be posted to, and why. */
export interface CheckedPlaces {
  /** For people: what is wrong and what to do about it. Undefined when the binding's cards can be posted somewhere. */
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
  adapters: readonly SurfaceAdapter[],
  log: Logger,
): Promise<CheckedPlaces> {
  const places = new Map(bindings.flatMap(placesOf).map((place) => [nameOf(place), place]));
  const refused = new Map<string, string>();
  let last: unknown;
  const check = async (names: Iterable<string>) => {
    for (const name of names) {
      const place = places.get(name);
      if (place === undefined) continue;
      const { channel } = place;
      try {
        await checkPlace(place, adapters);
        if (refused.delete(name)) log.info({ channel }, 'a channel can be posted to again');
      } catch (error) {
        last = error;
        const hint = error instanceof HandraiseError && error.hint !== undefined ? ` ${error.hint}` : '';
        const sentence = `${channel}: ${sentenceOf(error)}${hint}`;
        if (refused.get(name) !== sentence) log.error({ channel, reason: sentence }, 'a channel cannot be posted to');
        refused.set(name, sentence);
      }
    }
  };
  await check(places.keys());
  if (refused.size > 0 && refused.size === places.size) throw last;
  return {
    refusedFor(binding) {
      const bound = placesOf(binding).map((place) => refused.get(nameOf(place)));
      const sentences = bound.filter((sentence) => sentence !== undefined);
      return sentences.length > 0 && sentences.length === bound.length ? sentences.join(' ') : undefined;
    },
    recheck: () => check([...refused.keys()]),
  };
}

/** Throws what the platform says, also when nothing here speaks to it. */
export async function checkPlace(place: Place, adapters: readonly SurfaceAdapter[]): Promise<void> {
  const adapter = adapters.find(({ platform }) => platform === place.platform);
  if (adapter === undefined) throw new Error(`nothing here speaks to ${place.platform}`);
  await adapter.checkPlace(place);
}

function nameOf({ platform, channel }: Place): string {
  return `${platform} ${channel}`;
}
