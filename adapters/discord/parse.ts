import { LATER_ACTIONS, type LaterAction } from '../../src/core/ports/surface-adapter.ts';
import { SCOPES, type Scope } from '../../src/core/proposals/contract.ts';

/**
 * The custom id of every button, select and modal of ours: version, request, action. Opaque to Discord, at most 100
 * characters, and the only thing of an interaction that is read besides who made it and where; the store decides what
 * it is worth. It alone decides how Discord is answered first, so that every gateway answers alike.
 */
export type CardAction =
  /** A button for an option of the only question. */
  | { readonly kind: 'option'; readonly index: number }
  /** The select for the only question. */
  | { readonly kind: 'pick' }
  | { readonly kind: 'skip' | 'decline' }
  /** These open a modal for the only question, or for all of them: the whole form, or one text box. */
  | { readonly kind: 'answer' | 'note' | 'other' }
  /** Begins or goes on with the answers step by step. */
  | { readonly kind: 'steps' }
  | { readonly kind: 'step'; readonly question: number; readonly what: StepAction }
  | { readonly kind: 'send' }
  /** Of a proposal: decided at once. */
  | { readonly kind: 'grant'; readonly scope: Scope }
  | { readonly kind: 'deny' }
  /** A private message: the second step, or all of it. Its own button is `confirmed`. */
  | { readonly kind: 'confirm' | 'confirmed'; readonly scope: Scope }
  | { readonly kind: 'review' }
  /** A modal: why it is denied. */
  | { readonly kind: 'denynote' }
  /** On the card of one that ended. */
  | { readonly kind: LaterAction };

export type StepAction = (typeof STEP_ACTIONS)[number];

export type ParsedToken =
  | { readonly kind: 'ours'; readonly requestId: string; readonly action: CardAction }
  /** Ours once, and not understood (any more). */
  | { readonly kind: 'older' }
  /** Nothing of handraise. */
  | { readonly kind: 'foreign' };

const VERSION = '1';
const PREFIX = 'handraise';
const WHOLE = [
  ...(['pick', 'skip', 'decline', 'answer', 'note', 'other', 'steps', 'send', 'deny', 'denynote', 'review'] as const),
  ...LATER_ACTIONS,
] as const;
/** One letter before a scope. */
const SCOPED = { g: 'grant', v: 'confirm', c: 'confirmed' } as const;
const STEP_ACTIONS = ['pick', 'other', 'note', 'skip', 'go'] as const;

export function tokenOf(requestId: string, action: CardAction): string {
  return `${PREFIX}.${VERSION}.${requestId}.${nameOf(action)}`;
}

export function parseToken(customId: string): ParsedToken {
  if (!customId.startsWith(`${PREFIX}.`)) return { kind: 'foreign' };
  const [, version, requestId, name] =
    /^handraise\.(\d+)\.([A-Za-z0-9_-]{1,64})\.([a-z0-9.]{1,16})$/.exec(customId) ?? [];
  if (version !== VERSION || requestId === undefined || name === undefined) return { kind: 'older' };
  const action = actionNamed(name);
  return action === undefined ? { kind: 'older' } : { kind: 'ours', requestId, action };
}

/** Whether a click on it is answered with a modal; everything else is only acknowledged at first. */
export function opensModal(action: CardAction): boolean {
  switch (action.kind) {
    case 'answer':
    case 'note':
    case 'other':
    case 'denynote':
      return true;
    case 'step':
      return action.what === 'other' || action.what === 'note';
    default:
      return false;
  }
}

function nameOf(action: CardAction): string {
  switch (action.kind) {
    case 'option':
      return `o${action.index}`;
    case 'grant':
      return `g${action.scope}`;
    case 'confirm':
      return `v${action.scope}`;
    case 'confirmed':
      return `c${action.scope}`;
    case 'step':
      return `s${action.question}.${action.what}`;
    default:
      return action.kind;
  }
}

function actionNamed(name: string): CardAction | undefined {
  const option = /^o(\d{1,2})$/.exec(name)?.[1];
  if (option !== undefined) return { kind: 'option', index: Number(option) };
  const [, question, what] = /^s(\d{1,2})\.([a-z]+)$/.exec(name) ?? [];
  const step = STEP_ACTIONS.find((known) => known === what);
  if (question !== undefined && step !== undefined) return { kind: 'step', question: Number(question), what: step };
  const [, letter, word] = /^([gvc])([a-z]+)$/.exec(name) ?? [];
  const scope = SCOPES.find((known) => known === word);
  if (scope !== undefined) return { kind: SCOPED[letter as keyof typeof SCOPED], scope };
  const kind = WHOLE.find((known) => known === name);
  return kind === undefined ? undefined : { kind };
}
