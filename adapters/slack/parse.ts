import { LATER_ACTIONS, type LaterAction } from '../../src/core/ports/surface-adapter.ts';
import { SCOPES, type Scope } from '../../src/core/proposals/contract.ts';

/**
 * The token in every button of ours: version, request, action. Opaque to Slack, at most 100 characters, and the only
 * thing of a click that is read besides who made it and where; the store decides what it is worth.
 */
export type CardAction =
  /** An option of the only question. */
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'skip' | 'decline' }
  /** These open a modal: the whole form, or one text box. */
  | { readonly kind: 'answer' | 'note' | 'other' }
  /** Of a proposal. */
  | { readonly kind: 'grant'; readonly scope: Scope }
  | { readonly kind: 'deny' }
  /** These open a modal: why it is denied, or all of it. */
  | { readonly kind: 'denynote' | 'review' }
  /** On the card of one that ended. */
  | { readonly kind: LaterAction };

export type ParsedToken =
  | { readonly kind: 'ours'; readonly requestId: string; readonly action: CardAction }
  /** Ours once, and not understood (any more). */
  | { readonly kind: 'older' }
  /** No button of handraise. */
  | { readonly kind: 'foreign' };

const VERSION = '1';
const PREFIX = 'handraise.';
const ACTIONS = [
  ...(['skip', 'decline', 'answer', 'note', 'other', 'deny', 'denynote', 'review'] as const),
  ...LATER_ACTIONS,
] as const;

/** `action_id`s of the buttons in the Home tab, which belong to no card. */
export const HOME = Object.freeze({ refresh: `${PREFIX}home.refresh`, open: `${PREFIX}home.open` });

/** `action_id` and `value` of a button. */
export function tokenOf(requestId: string, action: CardAction): { actionId: string; value: string } {
  const name = nameOf(action);
  return { actionId: `${PREFIX}${name}`, value: `${VERSION}.${requestId}.${name}` };
}

export function parseToken(actionId: string, value: string | undefined): ParsedToken {
  if (!actionId.startsWith(PREFIX)) return { kind: 'foreign' };
  const [, version, requestId, name] = /^(\d+)\.([A-Za-z0-9_-]{1,64})\.([a-z0-9]{1,16})$/.exec(value ?? '') ?? [];
  if (version !== VERSION || requestId === undefined || name === undefined) return { kind: 'older' };
  const action = actionNamed(name);
  if (action === undefined || actionId !== `${PREFIX}${name}`) return { kind: 'older' };
  return { kind: 'ours', requestId, action };
}

function actionNamed(name: string): CardAction | undefined {
  const option = /^o(\d{1,2})$/.exec(name)?.[1];
  if (option !== undefined) return { kind: 'option', index: Number(option) };
  const scope = SCOPES.find((known) => name === `g${known}`);
  if (scope !== undefined) return { kind: 'grant', scope };
  const kind = ACTIONS.find((known) => known === name);
  return kind === undefined ? undefined : { kind };
}

function nameOf(action: CardAction): string {
  if (action.kind === 'option') return `o${action.index}`;
  return action.kind === 'grant' ? `g${action.scope}` : action.kind;
}
