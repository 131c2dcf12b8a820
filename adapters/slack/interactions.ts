import type { Actor } from '../../src/core/actor.ts';
import type { Clock } from '../../src/core/clock.ts';
import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import type { SurfaceHost, Touch } from '../../src/core/ports/surface-adapter.ts';
import { Recent } from '../../src/core/recent.ts';
import type { CardRef } from '../../src/core/request.ts';
import type { ProposalFile } from '../../src/prompt/proposal-file.ts';
import type { Identify } from './identity.ts';
import { OURS, SLACK } from './limits.ts';
import type { BlockActions } from './payload.ts';
import { SENTENCES, type Tell, type Whereabouts } from './replies.ts';
import type { ResponseUrl } from './response-url.ts';
import type { Sight } from './sight.ts';
import type { SlackWeb } from './web-clients.ts';

/** What clicks and submits share. */
export interface Interactions {
  readonly host: SurfaceHost;
  readonly web: SlackWeb;
  readonly identify: Identify;
  readonly workspaceId: string;
  readonly sight: Sight;
  readonly tell: Tell;
  /** `Install.webUrl`. */
  readonly webUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Interactions handled already: Slack may send one again, and nobody is to be told twice. */
  readonly handled: Recent<true>;
  /** View id → response URL of the click that opened it, while it lives. Only in this process; a mere shortcut. */
  readonly openers: Recent<ResponseUrl>;
  /** Request id → the file of a proposal that was put into its thread. */
  readonly uploads: Recent<Promise<ProposalFile | undefined>>;
}

/** One click on one card of ours. */
export interface Click {
  readonly body: BlockActions;
  readonly requestId: string;
  readonly interactionId: string;
  readonly where: Whereabouts & { readonly message?: string };
  readonly card?: CardRef;
}

export function createInteractions(deps: Omit<Interactions, 'handled' | 'openers' | 'uploads'>): Interactions {
  return {
    ...deps,
    handled: new Recent(deps.clock, OURS.repeatedMs),
    openers: new Recent(deps.clock, SLACK.responseUrlMs),
    uploads: new Recent(deps.clock, OURS.repeatedMs),
  };
}

/** With the card it was made on: whoever posted that may have died before it could record it. */
export function touchOf({ requestId, interactionId, card }: Click, actor: Actor): Touch {
  return { requestId, actor, interactionId, ...(card === undefined ? {} : { card }) };
}

/**
 * Does `work` once per interaction. What it throws is logged and told to the person, together with what they typed; the
 * interaction may then be tried again.
 */
export async function handleOnce(
  shared: Interactions,
  interactionId: string,
  where: Whereabouts,
  typed: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (shared.handled.get(interactionId) !== undefined) return;
  shared.handled.set(interactionId, true);
  try {
    await work();
  } catch (error) {
    shared.handled.delete(interactionId);
    shared.log.error({ reason: sentenceOf(error) }, 'an interaction could not be handled');
    await shared.tell(where, SENTENCES.failed, typed);
  }
}
