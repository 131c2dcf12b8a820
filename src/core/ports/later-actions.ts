import type { Actor } from '../actor.ts';
import type { RequestRecord } from '../request.ts';
import type { LaterAction } from './surface-adapter.ts';

/** What may be done from the card of a proposal that ended: whoever keeps the grants says, and does it. */
export interface LaterActions {
  /** What its card offers now; undefined for nothing. */
  offered(record: RequestRecord): Promise<LaterAction | undefined>;
  /**
   * Does it for somebody whom policy lets decide here, and audits it. Resolves to what they are told in private. The card
   * is redrawn by whoever changed what it offers (`Gateway.redraw`).
   */
  act(record: RequestRecord, action: LaterAction, actor: Actor): Promise<string>;
}
