import { AskerLost } from '../../../src/core/errors.ts';
import type { AskContext, Prompter } from '../../../src/core/ports/prompter.ts';
import type { Claim } from '../../../src/core/ports/request-store.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import type { QuestionEvent } from '../../../src/observe/events.ts';
import { observed } from '../../../src/observe/observed-prompter.ts';
import { ChatPrompter } from '../../../src/prompt/chat-prompter.ts';
import { JoinedAsks } from '../../../src/prompt/joined-asks.ts';
import { ANA, batchOf, question, SESSION } from '../../support/requests.ts';
import { gatewaysStoreInMemory, verify } from '../../support/verdict-keys.ts';

export const BATCH = batchOf(question('Which database?', ['Postgres', 'Redis']));
/** Another content. */
export const OTHER = batchOf(question('Which database?', ['Postgres', 'SQLite']));
export const CARD = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;

/** As `run` puts it together: calls are joined, then told as events, then asked in chat. */
export async function setUpJoined(made = gatewaysStoreInMemory()) {
  let ids = 0;
  const chat = await ChatPrompter.start({
    store: made.store,
    ownerId: 'owner-1',
    session: SESSION,
    clock: made.clock,
    newId: () => `request-${++ids}`,
    log: made.log,
    verify,
    waitMs: 300_000,
    surfaces: 1,
  });
  const events: QuestionEvent[] = [];
  let eventIds = 0;
  const inner = observed(chat, { emit: (event) => events.push(event) }, made.clock, {
    newId: () => `event-${++eventIds}`,
  });
  const joined = new JoinedAsks({ inner, clock: made.clock, log: made.log });
  const call = (pendingId?: string, batch: QuestionBatch = BATCH) => callOf(joined, batch, pendingId);
  const pick = (requestId: string, label = 'Redis') => made.store.claim(requestId, choice(label));
  const outcomeOf = async (requestId: string) => (await made.store.read(requestId))?.outcome?.kind;
  return Object.assign(made, { joined, events, call, pick, outcomeOf, requests: () => ids });
}

/** One tool call, as the listener makes it. */
function callOf(prompter: Prompter, batch: QuestionBatch, pendingId?: string) {
  const asker = new AbortController();
  const accepted: string[] = [];
  const context: AskContext = {
    signal: asker.signal,
    onAccepted: (id) => void accepted.push(id),
    ...(pendingId === undefined ? {} : { pendingId }),
  };
  return {
    accepted,
    result: prompter.ask(batch, context),
    withdraw: () => asker.abort(new Error('the agent withdrew the call')),
    cutOff: () => asker.abort(new AskerLost('the connection to the asker closed')),
  };
}

export function choice(label: string): Claim {
  const decision = { kind: 'answers', sheet: [{ status: 'answered', labels: [label] }] } as const;
  return { decision, actor: ANA, interactionId: `click ${label}` };
}

/** How each question ended, by the events. */
export function ends(events: readonly QuestionEvent[]) {
  return events.filter(({ event }) => event !== 'operator.question.asked').map(({ outcome }) => outcome);
}
