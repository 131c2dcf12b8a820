import type { Decision } from '../../src/core/request.ts';
import { placeIn } from './form-place.ts';
import type { Interactions } from './interactions.ts';
import type { ViewSubmission } from './payload.ts';
import { DENY_CALLBACK, GRANT, NOTE, noteIn, REVIEW_CALLBACK, scopeIn } from './proposal-form.ts';
import { SENTENCES } from './replies.ts';
import { type AckView, settleSubmission } from './submitted.ts';

/** Whether a submitted modal is one of a proposal. */
export function isOfProposal({ view }: ViewSubmission): boolean {
  return view.callback_id === REVIEW_CALLBACK || view.callback_id === DENY_CALLBACK;
}

/** Judges a submitted review or refusal by itself, answers Slack, then decides. Never rejects. */
export async function handleProposalSubmission(
  shared: Interactions,
  body: ViewSubmission,
  ack: AckView,
): Promise<void> {
  const { view } = body;
  const isReview = view.callback_id === REVIEW_CALLBACK;
  const field = isReview ? GRANT : NOTE;
  const place = placeIn(view.private_metadata);
  if (place === undefined) return ack({ response_action: 'errors', errors: { [field]: SENTENCES.olderForm } });
  const decision = isReview ? grantIn(view.state.values) : refusalIn(view.state.values);
  if (decision === undefined) return ack({ response_action: 'errors', errors: { [field]: MISSING[field] } });
  await ack();
  const typed = decision.kind === 'denied' ? decision.note : undefined;
  await settleSubmission(shared, body, place, typed, ({ kind }) => (kind === 'proposal' ? decision : undefined));
}

const MISSING = { [GRANT]: 'Choose what to allow.', [NOTE]: 'Write what the agent should know, or press Deny.' };

function grantIn(state: Parameters<typeof scopeIn>[0]): Decision | undefined {
  const scope = scopeIn(state);
  return scope === undefined ? undefined : { kind: 'granted', scope };
}

function refusalIn(state: Parameters<typeof noteIn>[0]): (Decision & { kind: 'denied' }) | undefined {
  const note = noteIn(state);
  return note === undefined ? undefined : { kind: 'denied', note };
}
