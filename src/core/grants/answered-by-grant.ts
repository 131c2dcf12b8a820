import type { Grant } from './grant.ts';

/** Why a proposal is withdrawn: a grant that people gave on another card is good for it, too. */
export class AnsweredByGrant extends Error {
  readonly grant: Grant;

  constructor(grant: Grant) {
    super('answered by another grant of the session');
    this.grant = grant;
  }
}
