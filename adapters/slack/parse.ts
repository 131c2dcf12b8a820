/**
 * The token in every button of ours: version, request, action. Opaque to Slack, at most 100 characters, and the only
 * thing of a click that is read besides who made it and where; the store decides what it is worth.
 */
export type CardAction =
  /** An option of the only question. */
  | { readonly kind: 'option'; readonly index: number }
  | { readonly kind: 'skip' | 'decline' }
  /** These open a modal: the whole form, or one text box. */
  | { readonly kind: 'answer' | 'note' | 'other' };

export type ParsedToken =
  | { readonly kind: 'ours'; readonly requestId: string; readonly action: CardAction }
  /** Ours once, and not understood (any more). */
  | { readonly kind: 'older' }
  /** No button of handraise. */
  | { readonly kind: 'foreign' };

const VERSION = '1';
const PREFIX = 'handraise.';
const ACTIONS = ['skip', 'decline', 'answer', 'note', 'other'] as const;

/** `action_id`s of the buttons in the Home tab, which belong to no card. */
export const HOME = Object.freeze({ refresh: `${PREFIX}home.refresh`, open: `${PREFIX}home.open` });

/** `action_id` and `value` of a button. */
export function tokenOf(requestId: string, action: CardAction): { actionId: string; value: string } {
  const name = action.kind === 'option' ? `o${action.index}` : action.kind;
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
  const kind = ACTIONS.find((known) => known === name);
  return kind === undefined ? undefined : { kind };
}
