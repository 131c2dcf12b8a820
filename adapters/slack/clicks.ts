import { sentenceOf } from '../../src/core/errors.ts';
import type { LaterAction, SurfaceResponse } from '../../src/core/ports/surface-adapter.ts';
import type { Question } from '../../src/core/questions/contract.ts';
import type { CardRef, Decision } from '../../src/core/request.ts';
import { openForm } from './form-opening.ts';
import { publishInbox } from './inbox.ts';
import { type Click, handleOnce, type Interactions, touchOf } from './interactions.ts';
import { type CardAction, HOME, parseToken } from './parse.ts';
import { type BlockActions, blockActions } from './payload.ts';
import { proposalDecisionOf } from './proposal-clicks.ts';
import { renderCard } from './render.ts';
import { SENTENCES } from './replies.ts';
import { ResponseUrl } from './response-url.ts';

/** Handles an acknowledged `block_actions` payload to its end. Never rejects. */
export async function handleClick(shared: Interactions, payload: unknown): Promise<void> {
  const parsed = blockActions.safeParse(payload);
  if (!parsed.success) {
    shared.log.warn({ issues: parsed.error.issues.length }, 'a click could not be read');
    return;
  }
  const body = parsed.data;
  const where = whereaboutsOf(shared, body);
  const interactionId = interactionIdOf(body, where);
  await handleOnce(shared, interactionId, where, undefined, async () => {
    const [touched] = body.actions;
    if (touched?.action_id === HOME.open) return; // A link: the client has followed it already.
    if (touched?.action_id === HOME.refresh) return publishInbox(shared, body);
    const token = parseToken(touched?.action_id ?? '', touched?.value ?? undefined);
    if (token.kind !== 'ours') return shared.tell(where, SENTENCES[token.kind]);
    const card = cardOf(shared, body);
    const click = { body, requestId: token.requestId, interactionId, where, ...(card && { card }) };
    const { action } = token;
    switch (action.kind) {
      case 'answer':
      case 'note':
        return openForm(shared, click, 'answer');
      case 'other':
      case 'review':
      case 'denynote':
        return openForm(shared, click, action.kind);
      case 'revoke':
      case 'askagain':
        return doLater(shared, click, action.kind);
      default:
        return decide(shared, click, action);
    }
  });
}

async function decide(shared: Interactions, click: Click, action: CardAction): Promise<void> {
  const { host, tell } = shared;
  const { requestId, interactionId, where } = click;
  const actor = await shared.identify(click.body);
  const looked = await host.lookUp(touchOf(click, actor));
  if ('refused' in looked) return tell(where, looked.refused);
  const { view } = looked.card;
  const decision = view.kind === 'questions' ? decisionOf(action, view.questions) : proposalDecisionOf(action, view);
  if (decision === undefined) return tell(where, SENTENCES.older);
  const redraw = redrawWith(shared, where);
  const reply = await host.respond({ requestId, decision, actor, interactionId, ...(redraw && { redraw }) });
  if (reply !== undefined) await tell(where, reply);
}

/** What may still be pressed on the card of a proposal that ended. */
async function doLater(shared: Interactions, click: Click, action: LaterAction): Promise<void> {
  const actor = await shared.identify(click.body);
  const reply = await shared.host.later(touchOf(click, actor), action);
  if (reply !== undefined) await shared.tell(click.where, reply);
}

/** The labels come from the request itself, never from what the card said. */
function decisionOf(action: CardAction, questions: readonly Question[]): Decision | undefined {
  switch (action.kind) {
    case 'decline':
      return { kind: 'declined' };
    case 'skip':
      return { kind: 'answers', sheet: questions.map(() => ({ status: 'skipped' })) };
    case 'option': {
      const label = questions.length === 1 ? questions[0]?.options[action.index]?.label : undefined;
      return label === undefined ? undefined : { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] };
    }
    default:
      return undefined;
  }
}

/** Redraws the card that was clicked, through the click's own URL. */
export function redrawWith(
  { log }: Interactions,
  { channel, message, url }: { channel?: string; message?: string; url?: ResponseUrl },
): SurfaceResponse['redraw'] {
  if (url === undefined) return undefined;
  return async (ref, card) => {
    if (ref.channel !== channel || ref.message !== message) return false;
    const { text, blocks } = renderCard(card);
    try {
      return await url.send({ replace_original: true, parse: 'none', text, blocks });
    } catch (error) {
      log.debug({ requestId: card.view.requestId, reason: sentenceOf(error) }, 'a card was not redrawn by its click');
      return false;
    }
  };
}

function cardOf({ workspaceId }: Interactions, body: BlockActions): CardRef | undefined {
  const [channel, message] = placeOf(body);
  if (channel == null || message == null) return undefined;
  const thread = body.container?.thread_ts ?? body.message?.thread_ts ?? message;
  return { platform: 'slack', workspaceId, channel, message, thread };
}

function placeOf(body: BlockActions) {
  return [body.container?.channel_id ?? body.channel?.id, body.container?.message_ts ?? body.message?.ts] as const;
}

function whereaboutsOf({ clock }: Interactions, body: BlockActions): Click['where'] {
  const [channel, message] = placeOf(body);
  return {
    user: body.user.id,
    ...(channel == null ? {} : { channel }),
    ...(message == null ? {} : { message }),
    ...(body.response_url == null ? {} : { url: new ResponseUrl(body.response_url, clock) }),
  };
}

/**
 * The same for every delivery of one click, different for every click: Slack stamps each action with the microsecond.
 * The trigger id would do, too, but opens modals for three seconds and has no business in an audit file.
 */
function interactionIdOf(body: BlockActions, where: Click['where']): string {
  const { channel = '', message = '' } = where;
  return ['click', body.user.id, channel, message, body.actions[0]?.action_ts ?? body.trigger_id].join(':');
}
