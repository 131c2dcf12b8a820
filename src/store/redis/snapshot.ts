import * as z from 'zod';
import { type Actor, PLATFORMS } from '../../core/actor.ts';
import { HandraiseError } from '../../core/errors.ts';
import { type ClosingOutcome, newRecord, type Transition, transition } from '../../core/lifecycle.ts';
import { WITHHELD } from '../../core/outcomes.ts';
import { proposalSchema, SCOPES } from '../../core/proposals/contract.ts';
import type { AnswerSheet } from '../../core/questions/answers.ts';
import type { QuestionBatch } from '../../core/questions/contract.ts';
import type {
  Ballot,
  CardRef,
  Decision,
  NewProposal,
  NewQuestions,
  NewRequest,
  PostFailure,
  Quorum,
  RequestRecord,
  SessionFacts,
  Verdict,
  Vote,
} from '../../core/request.ts';
import { VERDICT_FAULTS, type VerdictSignature } from '../../core/verdict-signature.ts';

const nullableText = z.string().nullable();

/** What `snapshot()` of `includes/state.lua` returns, in its order. */
const snapshotSchema = z.tuple([
  z.tuple([z.string(), z.string(), nullableText]),
  z.tuple([nullableText, nullableText]),
  z.tuple([nullableText, nullableText]),
  z.array(z.string()),
  z.array(z.string()),
  z.tuple([nullableText, nullableText]),
]);

/** A script's reply `{ code, snapshot, error? }`. Lua's `false` arrives as null. */
const replySchema = z.union([
  z.tuple([z.int(), snapshotSchema.nullable()]),
  z.tuple([z.int(), snapshotSchema.nullable(), z.string()]),
]);

const platform = z.enum(PLATFORMS);
const text = z.string();
const texts = z.array(z.string());

const questions: z.ZodType<QuestionBatch['questions']> = z.array(
  z.object({
    question: text,
    header: text,
    multiSelect: z.boolean(),
    options: z.array(z.object({ label: text, description: text, preview: text.exactOptional() })),
  }),
);

const batch: z.ZodType<QuestionBatch> = z.object({
  questions,
  metadata: z.object({ source: text.exactOptional() }).exactOptional(),
});

/** A schema drops a member it does not know, and the type does not miss one that may be absent: so all are named. */
type Members<T> = Readonly<Record<keyof T, z.ZodType>>;

const session: z.ZodType<SessionFacts> = z.object({
  sessionId: text,
  agent: text,
  program: text.exactOptional(),
  workspace: text,
  branch: text.exactOptional(),
  startedBy: text,
  requester: text.exactOptional(),
} satisfies Members<SessionFacts>);

const asked = {
  requestId: text,
  pendingId: text.exactOptional(),
  ownerId: text,
  session,
  waitMs: z.int().positive(),
};

/** Before there were proposals, a request did not say its kind. */
const request: z.ZodType<NewRequest> = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('kind' in value) ? { ...value, kind: 'questions' } : value,
  z.discriminatedUnion('kind', [
    z.object({
      ...asked,
      kind: z.literal('questions'),
      batch,
      view: z.object({
        v: z.literal(1),
        requestId: text,
        kind: z.literal('questions'),
        session,
        subAgent: z.object({ id: text, type: text }).exactOptional(),
        questions,
      }),
    } satisfies Members<NewQuestions>),
    z.object({
      ...asked,
      kind: z.literal('proposal'),
      view: z.object({
        v: z.literal(1),
        requestId: text,
        kind: z.literal('proposal'),
        session,
        proposal: proposalSchema,
      }),
    } satisfies Members<NewProposal>),
  ]),
);

const sheet: z.ZodType<AnswerSheet> = z.array(
  z.discriminatedUnion('status', [
    z.object({
      status: z.literal('answered'),
      labels: texts,
      other: text.exactOptional(),
      notes: text.exactOptional(),
      by: z.object({ userId: text, name: text }).exactOptional(),
    }),
    z.object({ status: z.literal('skipped') }),
    z.object({ status: z.literal('unanswered') }),
  ]),
);

const decision: z.ZodType<Decision> = z.union([
  z.object({ kind: z.literal('answers'), sheet }),
  z.object({ kind: z.literal('declined') }),
  z.object({ kind: z.literal('granted'), scope: z.enum(SCOPES) }),
  z.object({ kind: z.literal('denied'), note: text.exactOptional() }),
]);

export const actorSchema: z.ZodType<Actor> = z.object({
  platform: z.enum([...PLATFORMS, 'local']),
  workspaceId: text,
  userId: text,
  name: text,
  standing: z.enum(['member', 'guest', 'stranger', 'bot', 'deactivated', 'unverified']),
  roles: texts.exactOptional(),
} satisfies Members<Actor>);

const signature: z.ZodType<VerdictSignature> = z.object({
  keyId: text,
  batch: text.exactOptional(),
  action: text.exactOptional(),
  view: text,
  at: z.number(),
  value: text,
});

const verdict: z.ZodType<Omit<Verdict, 'at'>> = z.object({
  decision,
  actor: actorSchema,
  interactionId: text,
  signature: signature.exactOptional(),
  quorum: z
    .object({ needed: z.int().positive(), earlier: z.array(actorSchema) } satisfies Members<Quorum>)
    .exactOptional(),
} satisfies Members<Omit<Verdict, 'at'>>);

const vote: z.ZodType<Vote> = z.object({
  decision: z.object({ kind: z.literal('granted'), scope: z.enum(SCOPES) }),
  actor: actorSchema,
  interactionId: text,
  signature: signature.exactOptional(),
} satisfies Members<Vote>);

const closing: z.ZodType<ClosingOutcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('timed_out'), shown: z.boolean(), waitedMs: z.number() }),
  z.object({ kind: z.literal('undeliverable'), reason: text }),
  z.object({ kind: z.literal('cancelled'), coveredBy: text.exactOptional() }),
  z.object({ kind: z.enum(['superseded', 'owner_lost']) }),
  z.object({
    kind: z.literal('indeterminate'),
    reason: z.enum(VERDICT_FAULTS).exactOptional(),
    withheld: z.enum(WITHHELD).exactOptional(),
  }),
]);

const card: z.ZodType<CardRef> = z.object({
  platform,
  workspaceId: text,
  channel: text,
  message: text,
  thread: text,
  pointer: text.exactOptional(),
} satisfies Members<CardRef>);

const failure: z.ZodType<PostFailure> = z.object({
  platform,
  channel: text,
  reason: text,
  permanent: z.boolean(),
} satisfies Members<PostFailure>);

export type Snapshot = z.output<typeof snapshotSchema>;

/** A record, with the text of the request in it as its owner wrote it. */
export interface Found {
  readonly record: RequestRecord;
  readonly content: string;
}

export interface Reply {
  /** One of `STORE_CODES`. */
  readonly code: number;
  readonly found: Found | undefined;
  /** Why audit rows could not be written. */
  readonly error: string | undefined;
}

export function parseReply(reply: unknown): Reply {
  const [code, snapshot, error] = checked(replySchema, reply, 'a script replied');
  return { code, found: snapshot === null ? undefined : foundIn(snapshot), error };
}

/** What `read` returned: one entry an id; undefined for one that is not there, and for one that cannot be understood. */
export function parseSnapshots(reply: unknown, onDamaged: (thrown: unknown) => void): (Found | undefined)[] {
  return checked(z.array(z.unknown()), reply, 'a script replied').map((snapshot) => {
    if (snapshot === null) return undefined;
    try {
      return foundIn(checked(snapshotSchema, snapshot, 'a script replied'));
    } catch (thrown) {
      onDamaged(thrown);
      return undefined;
    }
  });
}

function foundIn(snapshot: Snapshot): Found {
  return { record: recordOf(snapshot), content: snapshot[0][0] };
}

/**
 * The record that the stored facts amount to: the lifecycle's own function moves it, so that what Redis holds cannot be
 * a state that the lifecycle does not know. What stands in the verdict's place and is no verdict on this request spoils
 * it, so that its owner can end it. Throws `store` for other facts that do not fit together.
 */
export function recordOf([
  [content, createdAt, shownAt],
  choice,
  close,
  cards,
  failures,
  votes,
]: Snapshot): RequestRecord {
  let record = newRecord(fromJson(request, content), Number(createdAt));
  if (shownAt !== null) record = moved(record, transition(record, { type: 'show', at: Number(shownAt) }));
  const ballot = ballotIn(votes);
  if (ballot !== undefined) record = { ...record, ballot };
  if (choice[0] !== null) {
    const step = claimIn(record, choice[0], Number(choice[1]));
    record = step?.ok === true ? step.record : moved(record, transition(record, { type: 'spoil' }));
  }
  if (close[0] !== null) {
    const at = Number(close[1]);
    record = moved(
      record,
      close[0] === ''
        ? transition(record, { type: 'confirm', at })
        : transition(record, { type: 'close', outcome: fromJson(closing, close[0]), at }),
    );
  }
  return {
    ...record,
    cards: cards.map((entry) => fromJson(card, withoutName(entry))),
    postFailures: failures.map((entry) => fromJson(failure, withoutName(entry))),
  };
}

/** Votes that cannot be read are none: nobody's approval comes of them, and the next one replaces them. */
function ballotIn([revision, cast]: Snapshot[5]): Ballot | undefined {
  const counted = Number(revision ?? Number.NaN);
  if (!Number.isSafeInteger(counted) || counted < 1) return undefined;
  try {
    return { revision: counted, cast: fromJson(z.array(vote), cast ?? '[]') };
  } catch {
    // Not a gateway's work: whoever allowed it is asked once more.
    return { revision: counted, cast: [] };
  }
}

/** Undefined for what cannot be read as a verdict. */
function claimIn(record: RequestRecord, json: string, at: number): Transition | undefined {
  if (!Number.isFinite(at)) return undefined;
  let made: Omit<Verdict, 'at'>;
  try {
    made = fromJson(verdict, json);
  } catch {
    // Not a gateway's work. The owner reports it, with what became of the request.
    return undefined;
  }
  return transition(record, { type: 'claim', verdict: { ...made, at } });
}

function moved(record: RequestRecord, step: Transition): RequestRecord {
  if (step.ok) return step.record;
  throw new HandraiseError(`The stored request ${record.requestId} is damaged (${step.refusal}).`, { code: 'store' });
}

/** Entries of lists are a name, a line feed, and JSON (`record-card-1.lua`). */
function withoutName(entry: string): string {
  return entry.slice(entry.indexOf('\n') + 1);
}

function fromJson<T>(schema: z.ZodType<T>, json: string): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new HandraiseError('Redis holds something that is not JSON.', { code: 'store', cause });
  }
  return checked(schema, value, 'Redis holds');
}

function checked<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const where = issue === undefined ? '' : ` at ${issue.path.join('.')}: ${issue.message}`;
  throw new HandraiseError(`Not what was expected: ${what} something else${where}.`, { code: 'store' });
}
