import type { StoredDraft } from '../../src/core/ports/request-store.ts';
import type {
  Card,
  FormLookup,
  Inbox,
  InboxRequest,
  LaterAction,
  PrivateReply,
  ProposalCard,
  QuestionsCard,
  SurfaceHost,
  SurfaceResponse,
  Touch,
} from '../../src/core/ports/surface-adapter.ts';
import type { Proposal } from '../../src/core/proposals/contract.ts';
import type { QuestionBatch } from '../../src/core/questions/contract.ts';
import { proposalView, questionView } from '../../src/prompt/card-view.ts';
import { SESSION } from './requests.ts';

/** A gateway's side of the port that answers from a table of cards and keeps what it was told. */
export interface RecordingHost extends SurfaceHost {
  readonly responses: SurfaceResponse[];
  readonly touches: Touch[];
  readonly laterActions: LaterAction[];
  /** The n-th response, or the one that is there already. */
  response(count?: number): Promise<SurfaceResponse>;
  /** Cards by request id; a request that is not here is refused. */
  readonly cards: Map<string, Card>;
  readonly drafts: Map<string, StoredDraft>;
  /** What inboxes are answered with; default nothing open. */
  open: Inbox;
  readonly inboxes: InboxRequest[];
  /** What the next responses are answered with; default nothing. */
  reply: PrivateReply;
  /** Resolves before an inbox is answered. */
  inboxGate: Promise<void>;
  /** Resolves before a look-up answers. */
  gate: Promise<void>;
}

export function recordingHost(): RecordingHost {
  let arrive: () => void = () => undefined;
  let arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const host: RecordingHost = {
    responses: [],
    touches: [],
    laterActions: [],
    cards: new Map(),
    drafts: new Map(),
    open: { entries: [], more: 0 },
    inboxes: [],
    inboxGate: Promise.resolve(),
    reply: undefined,
    gate: Promise.resolve(),
    async response(count = 1) {
      while (host.responses.length < count) await arrival;
      const response = host.responses[count - 1];
      if (response === undefined) throw new Error(`there is no response ${count}`);
      return response;
    },
    async respond(response) {
      host.responses.push(response);
      const { reply } = host;
      arrive();
      arrival = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      return reply;
    },
    async lookUp(touch): Promise<FormLookup> {
      host.touches.push(touch);
      await host.gate;
      const card = host.cards.get(touch.requestId);
      return card === undefined ? { refused: 'Already answered by Ben 3 s ago.' } : { card };
    },
    async later(touch, action) {
      host.touches.push(touch);
      host.laterActions.push(action);
      return host.reply;
    },
    async inbox(request) {
      host.inboxes.push(request);
      await host.inboxGate;
      return host.open;
    },
    async readDraft(requestId) {
      return host.drafts.get(requestId);
    },
    async writeDraft(requestId, body, replaces) {
      if ((host.drafts.get(requestId)?.revision ?? 0) !== replaces) return false;
      host.drafts.set(requestId, { revision: replaces + 1, body });
      return true;
    },
  };
  return host;
}

/** A card that is open for a minute from a fixed time. */
export function openCard(batch: QuestionBatch, requestId = 'request-1'): QuestionsCard {
  return {
    view: questionView(requestId, SESSION, batch),
    state: { phase: 'open', deadline: Date.UTC(2026, 7, 3, 10, 5) },
  };
}

/** The same of a proposal. */
export function openProposal(proposal: Proposal, requestId = 'request-1'): ProposalCard {
  return {
    view: proposalView(requestId, SESSION, proposal),
    state: { phase: 'open', deadline: Date.UTC(2026, 7, 3, 10, 5), approvers: '2 people on Slack' },
  };
}
