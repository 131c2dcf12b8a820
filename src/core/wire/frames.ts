import * as z from 'zod';
import { WIRE_VERSION } from './limits.ts';

// Socket wire v1: NDJSON over the per-call unix socket, one JSON object a line. A frame without `v` speaks the older
// wire (`legacy.ts`). Unknown fields are ignored, unknown kinds refused.

/** Chosen by the bridge, unique per connection; answers carry it back. */
const id = z.string().min(1).max(128);
const v = z.literal(WIRE_VERSION);

/** Bridge → owner: put these questions to the operator. `questions` is judged by the normaliser, not here. */
const askFrame = z.object({
  v,
  kind: z.literal('ask'),
  id,
  questions: z.unknown().optional(),
  metadata: z.unknown().optional(),
  /** The agent's own id of this tool call, where its client names one. */
  toolUseId: z.string().min(1).max(256).optional(),
});

/** Bridge → owner: may this step be taken? Judged by the gate, not here. */
const proposeFrame = z.object({
  v,
  kind: z.literal('propose'),
  id,
  tool: z.string().min(1).max(512),
  input: z.unknown(),
  /** The agent's own id of the call; what its hooks observed is joined by it. */
  toolUseId: z.string().min(1).max(256).optional(),
});

/** Hook → owner: facts about a tool call that is about to be made. They never allow anything. */
const observeFrame = z.object({
  v,
  kind: z.literal('observe'),
  id,
  toolUseId: z.string().min(1).max(256),
  cwd: z.string().min(1).max(4_096),
  /** The agent's own session, where it has one. */
  sessionId: z.string().min(1).max(256).optional(),
  /** The user's prompt that is worked on. */
  turnId: z.string().min(1).max(256).optional(),
  agentId: z.string().min(1).max(256).optional(),
  agentType: z.string().min(1).max(256).optional(),
});

/** Hook → owner: a prompt of the user's is taken up, was worked on to its end, or the whole session is over. */
const lifecycleFrame = z.discriminatedUnion('event', [
  z.object({ v, kind: z.literal('lifecycle'), id, event: z.literal('turn_began'), turnId: z.string().min(1).max(256) }),
  z.object({ v, kind: z.literal('lifecycle'), id, event: z.literal('turn_ended'), turnId: z.string().min(1).max(256) }),
  z.object({
    v,
    kind: z.literal('lifecycle'),
    id,
    event: z.literal('session_ended'),
    sessionId: z.string().min(1).max(256),
  }),
]);

/** Bridge → owner: the agent withdrew the call. One for an id that was already answered is ignored. */
const cancelFrame = z.object({ v, kind: z.literal('cancel'), id });

/** Bridge → owner: the response to this call was flushed to the agent. */
const deliveredFrame = z.object({ v, kind: z.literal('delivered'), id });

export const ownerBoundFrame = z.discriminatedUnion('kind', [
  askFrame,
  proposeFrame,
  observeFrame,
  lifecycleFrame,
  cancelFrame,
  deliveredFrame,
]);
export type OwnerBoundFrame = z.output<typeof ownerBoundFrame>;
export type AskFrame = z.output<typeof askFrame>;
export type ProposeFrame = z.output<typeof proposeFrame>;
export type ObserveFrame = z.output<typeof observeFrame>;
export type LifecycleFrame = z.output<typeof lifecycleFrame>;

/** Owner → bridge: the request exists. */
export interface AcceptedFrame {
  readonly v: typeof WIRE_VERSION;
  readonly kind: 'accepted';
  readonly id: string;
  readonly requestId: string;
}

/**
 * Owner → bridge: how it ended. `text` and `isError` are the tool result, worded by the owner (`outcomes.ts`), so that
 * the bridge stays thin; `outcome` and `answers` say the same to programs.
 */
export interface OutcomeFrame {
  readonly v: typeof WIRE_VERSION;
  readonly kind: 'outcome';
  readonly id: string;
  readonly requestId?: string;
  readonly outcome: string;
  readonly text: string;
  readonly isError: boolean;
  readonly answers?: Readonly<Record<string, string | readonly string[]>>;
  readonly annotations?: Readonly<Record<string, { readonly preview?: string; readonly notes?: string }>>;
}

/** Owner → hook: it was taken note of. */
export interface NotedFrame {
  readonly v: typeof WIRE_VERSION;
  readonly kind: 'noted';
  readonly id: string;
}

/** Owner → bridge: the call (or, without `id`, a line) could not be taken. `text` tells the agent what to change. */
export interface ErrorFrame {
  readonly v: typeof WIRE_VERSION;
  readonly kind: 'error';
  readonly id?: string;
  readonly code:
    | 'invalid_questions'
    | 'invalid_frame'
    | 'line_too_long'
    | 'unknown_kind'
    | 'duplicate_id'
    | 'unavailable';
  readonly text: string;
}

export type BridgeBoundFrame = AcceptedFrame | OutcomeFrame | NotedFrame | ErrorFrame;
