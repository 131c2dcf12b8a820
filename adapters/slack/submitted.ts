import { createHash } from 'node:crypto';
import type { CardView, Decision } from '../../src/core/request.ts';
import { redrawWith } from './clicks.ts';
import type { FormPlace } from './form-place.ts';
import { handleOnce, type Interactions } from './interactions.ts';
import type { ViewSubmission } from './payload.ts';
import { SENTENCES } from './replies.ts';

/** Answers a `view_submission`: nothing closes the modal, errors keep it open. */
export type AckView = (response?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

/**
 * Decides by a form that was read and acknowledged: who, then whether the request still takes it. `typed` is handed back
 * when it does not. `decide` is undefined for a form that does not belong to what is asked. Never rejects.
 */
export async function settleSubmission(
  shared: Interactions,
  body: ViewSubmission,
  { requestId, channel, message }: FormPlace,
  typed: string | undefined,
  decide: (asked: CardView) => Decision | undefined,
): Promise<void> {
  const { host, tell } = shared;
  const url = shared.openers.get(body.view.id);
  const where = {
    user: body.user.id,
    ...(channel === undefined ? {} : { channel }),
    ...(message === undefined ? {} : { message }),
    ...(url === undefined ? {} : { url }),
  };
  const interactionId = interactionIdOf(body);
  await handleOnce(shared, interactionId, where, typed, async () => {
    const actor = await shared.identify(body);
    const looked = await host.lookUp({ requestId, actor, interactionId });
    if ('refused' in looked) return tell(where, looked.refused, typed);
    const decision = decide(looked.card.view);
    if (decision === undefined) return tell(where, SENTENCES.older, typed);
    const redraw = redrawWith(shared, where);
    const reply = await host.respond({ requestId, decision, actor, interactionId, ...(redraw && { redraw }) });
    if (reply !== undefined) await tell(where, reply, typed);
  });
}

/**
 * The same for every delivery of one submit. What was filled in is part of it: when an ack is lost, the person may change
 * the form and send it again, and that is another answer.
 */
function interactionIdOf({ user, view }: ViewSubmission): string {
  const content = createHash('sha256').update(JSON.stringify(view.state.values)).digest('base64url').slice(0, 16);
  return ['form', user.id, view.id, content].join(':');
}
