import * as z from 'zod';
import { parseDuration } from '../core/duration.ts';
import { sentenceOf } from '../core/errors.ts';

/** "5m" → milliseconds, within its bounds. */
export function durationOf({ shortest, longest }: { readonly shortest: string; readonly longest: string }) {
  return z
    .string({ error: 'must be a duration such as 5m' })
    .transform((text, context) => {
      try {
        return parseDuration(text);
      } catch (thrown) {
        context.addIssue({ code: 'custom', message: `${sentenceOf(thrown)}; write for example 90s, 5m or 4h` });
        return z.NEVER;
      }
    })
    .refine((ms) => ms >= parseDuration(shortest) && ms <= parseDuration(longest), {
      error: `must be between ${shortest} and ${longest}`,
    });
}
