import * as z from 'zod';
import { HandraiseError } from '../../core/errors.ts';
import type { PostingTurn } from '../../core/ports/request-store.ts';
import { codeOf } from './codes.ts';

/** What `take-turn-1.lua` returns. */
const replySchema = z.union([z.tuple([z.int()]), z.tuple([z.int(), z.union([z.int(), z.string()])])]);

export function turnOf(reply: unknown, what: string): PostingTurn {
  const [integer, detail] = replySchema.parse(reply);
  const code = codeOf(integer);
  switch (code) {
    case 'done':
      return { turn: 'yours', lookFirst: detail === 1 };
    case 'resolution_in_progress':
      return { turn: 'others', forMs: Number(detail) };
    case 'already_resolved':
      return typeof detail === 'string' && detail !== '' ? { turn: 'posted', thread: detail } : { turn: 'posted' };
    default:
      throw new HandraiseError(`There is no ${what}`, { code: 'store' });
  }
}
