import * as z from 'zod';
import { COVERS, EFFECTS, SCOPES } from '../proposals/contract.ts';
import { RESOLVE_CODES, type ResolveCode } from '../resolve-codes.ts';

// Control wire v1: NDJSON over the control socket, one JSON object a line. The server greets, the client says which
// process it is, then asks, one answer a request. Unknown members and kinds are refused before anything is done.

export const CONTROL_VERSION = 1;

/** Bytes of a line from a client, without its newline: the longest is an answer of somebody's own words. */
export const MAX_REQUEST_BYTES = 131_072;

/** Bytes of a line from a server: a list of requests. */
export const MAX_REPLY_BYTES = 4_194_304;

/** Requests in one list; how many there are besides is said. */
export const MOST_LISTED = 100;

/** UTF-16 units of one option, one answer in own words or one note. */
export const MOST_WORDS = 20_000;

const v = z.literal(CONTROL_VERSION);
const id = z.string().min(1).max(64);
const name = z.string().min(1).max(256);
const words = z.string().min(1).max(MOST_WORDS);
/** Not z.record: it drops a key `__proto__`, which is a legal question. */
const object = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  { error: 'must be an object' },
);

/** What is chosen: options by label or id, an answer in AskUserQuestion's form, nothing at all, or "decide without us". */
const choice = z.union([
  z.strictObject({ options: z.array(words).max(64), other: words.optional(), notes: words.optional() }),
  z.strictObject({ answers: object, annotations: object.optional() }),
  z.strictObject({ skip: z.literal(true) }),
  z.strictObject({ decline: z.literal(true) }),
]);
export type Choice = z.output<typeof choice>;

/**
 * Which process the client is: it has given itself the name that the greeting asked for. `inside`: why it takes itself
 * for a process of an agent, so that the attempt is audited.
 */
const identifyFrame = z.strictObject({
  v,
  kind: z.literal('identify'),
  id,
  pid: z.int().positive(),
  inside: name.optional(),
});
const pendingFrame = z.strictObject({ v, kind: z.literal('pending'), id });
/** Whether a request is known here at all, open or over. */
const findFrame = z.strictObject({ v, kind: z.literal('find'), id, requestId: name });
const resolveFrame = z.strictObject({
  v,
  kind: z.literal('resolve'),
  id,
  requestId: name,
  /** Where given, they must be the request's. */
  pendingId: name.optional(),
  sessionId: name.optional(),
  choice,
});
export type ResolveFrame = z.output<typeof resolveFrame>;

const grantsFrame = z.strictObject({ v, kind: z.literal('grants'), id });
const revokeFrame = z.strictObject({ v, kind: z.literal('revoke'), id, requestId: name });
export type RevokeFrame = z.output<typeof revokeFrame>;

export const serverBoundFrame = z.discriminatedUnion('kind', [
  identifyFrame,
  pendingFrame,
  findFrame,
  resolveFrame,
  grantsFrame,
  revokeFrame,
]);
export type ServerBoundFrame = z.output<typeof serverBoundFrame>;

const listedOption = z.object({ id: z.string(), label: z.string(), description: z.string() });

/** A request as it is listed. Chosen member by member: what is not named here does not leave. Times are ISO 8601. */
const listedRequest = z.object({
  requestId: z.string(),
  pendingId: z.string().optional(),
  status: z.enum(['queued', 'open', 'recorded']),
  sessionId: z.string(),
  agent: z.string(),
  workspace: z.string(),
  branch: z.string().optional(),
  startedBy: z.string(),
  createdAt: z.string(),
  /** Absent while it waits in its session's line. */
  deadline: z.string().optional(),
  questions: z.array(
    z.object({
      header: z.string(),
      question: z.string(),
      multiSelect: z.boolean(),
      options: z.array(listedOption),
    }),
  ),
  /** Where it is a step to be allowed, and no questions are asked. */
  proposal: z
    .object({
      tool: z.string(),
      effect: z.enum(EFFECTS),
      reason: z.string(),
      targets: z.array(z.string()),
      hosts: z.array(z.string()),
      cwd: z.string().nullable(),
      /** All that will run. */
      text: z.string(),
      options: z.array(listedOption),
    })
    .optional(),
});
export type ListedRequest = z.output<typeof listedRequest>;

/** A permission that is good right now. Times are ISO 8601. */
const listedGrant = z.object({
  requestId: z.string(),
  scope: z.enum(SCOPES),
  covers: z.enum(COVERS),
  sessionId: z.string(),
  workspace: z.string(),
  grantedAt: z.string(),
  /** Who allowed it, by the name that is shown. */
  by: z.string().optional(),
  endsAt: z.string().optional(),
  /** Steps that ran by it. */
  uses: z.int(),
});
export type ListedGrant = z.output<typeof listedGrant>;

const revocation = z.object({
  code: z.enum(['revoked', 'over', 'not_found', 'audit_failed', 'refused', 'unavailable']),
  sentence: z.string(),
});
export type Revocation = z.output<typeof revocation>;

const resolution = z.object({
  code: z.enum(Object.keys(RESOLVE_CODES) as [ResolveCode, ...ResolveCode[]]),
  sentence: z.string(),
  /** What is behind the code, where that is finer. */
  reason: z.string().optional(),
  sessionId: z.string().optional(),
  pendingId: z.string().optional(),
  outcome: z.string().optional(),
  picks: z.array(z.string()).optional(),
});
export type Resolution = z.output<typeof resolution>;

export const clientBoundFrame = z.discriminatedUnion('kind', [
  /** `name`: what the client's process is to call itself to prove which one it is; null where that cannot be seen. */
  z.object({ v, kind: z.literal('hello'), name: z.string().nullable() }),
  z.object({ v, kind: z.literal('identified'), id }),
  z.object({ v, kind: z.literal('requests'), id, requests: z.array(listedRequest), total: z.int() }),
  z.object({ v, kind: z.literal('found'), id, known: z.boolean() }),
  z.object({ v, kind: z.literal('resolution'), id, resolution }),
  z.object({ v, kind: z.literal('grants'), id, grants: z.array(listedGrant) }),
  z.object({ v, kind: z.literal('revocation'), id, revocation }),
  z.object({
    v,
    kind: z.literal('error'),
    id: id.optional(),
    code: z.enum(['invalid_frame', 'line_too_long', 'refused', 'unavailable']),
    text: z.string(),
  }),
]);
export type ClientBoundFrame = z.output<typeof clientBoundFrame>;
