import type { Platform } from '../../core/actor.ts';
import { HandraiseError, sentenceOf } from '../../core/errors.ts';

/** `warn` works, with a catch that somebody should know of; `fail` does not work. */
export type Level = 'ok' | 'warn' | 'fail';

/** The parts of the report, in its order. */
export type Area = 'configuration' | 'redis' | 'gateways' | Platform | 'people' | 'isolation' | 'cards' | 'self-test';

/** One thing that was looked at. What is not ok comes with what to do. */
export type Finding = {
  /** Stable, for scripts: the area and what was looked at. */
  readonly check: `${Area}.${string}`;
  readonly what: string;
} & ({ readonly level: 'ok' } | { readonly level: 'warn' | 'fail'; readonly cure: string });

type Check = Finding['check'];

export function ok(check: Check, what: string): Finding {
  return { level: 'ok', check, what };
}

export function warn(check: Check, what: string, cure: string): Finding {
  return { level: 'warn', check, what, cure };
}

export function fail(check: Check, what: string, cure: string): Finding {
  return { level: 'fail', check, what, cure };
}

/** A failure that says itself what to do, or else gets `cure`. */
export function failed(check: Check, thrown: unknown, cure: string): Finding {
  const hint = thrown instanceof HandraiseError ? thrown.hint : undefined;
  return fail(check, `${sentenceOf(thrown).replace(/\.$/, '')}.`, hint ?? cure);
}
