import { ApiError } from './api-error.ts';
import type { Args } from './arguments.ts';

/** One page of a list and the cursor of the next; cursors are opaque, as Slack's are. */
export function page<T>(
  all: readonly T[],
  args: Args,
  otherwise: number,
): { readonly items: readonly T[]; readonly cursor: string } {
  const limit = typeof args['limit'] === 'number' && args['limit'] > 0 ? Math.min(999, args['limit']) : otherwise;
  const from = args['cursor'] ? offsetOf(String(args['cursor'])) : 0;
  const cursor = from + limit < all.length ? Buffer.from(`next:${from + limit}`).toString('base64') : '';
  return { items: all.slice(from, from + limit), cursor };
}

function offsetOf(cursor: string): number {
  const found = /^next:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString());
  if (!found) throw new ApiError('invalid_cursor');
  return Number(found[1]);
}
