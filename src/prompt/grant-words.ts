import type { Revocation } from '../core/wire/control.ts';

/** What came of taking a grant back. `over`: it was not good any more. */
export type RevokeCode = Exclude<Revocation['code'], 'refused'>;

/** For whoever wanted to take it back. */
export function revokeSentence(code: RevokeCode): string {
  switch (code) {
    case 'revoked':
      return 'Taken back: nothing more runs by this permission. What runs already is not stopped.';
    case 'over':
      return 'This permission was over already; nothing runs by it.';
    case 'not_found':
      return 'There is no such permission here.';
    case 'audit_failed':
      return 'It could not be taken back (the audit cannot be written), so it is still good. Try again.';
    case 'unavailable':
      return 'handraise cannot reach its store right now, so it may still be good. Look with `handraise grants` and try again.';
  }
}

/** For whoever lets a step be asked about again that nobody had answered in time. */
export const ASKED_AGAIN = 'If the agent tries this step again, it is put to people again. Nothing was run.';
