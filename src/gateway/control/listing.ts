import type { RequestStore } from '../../core/ports/request-store.ts';
import { offersOf, type Proposal } from '../../core/proposals/contract.ts';
import type { QuestionBatch } from '../../core/questions/contract.ts';
import type { RequestRecord } from '../../core/request.ts';
import { type ListedRequest, MOST_LISTED } from '../../core/wire/control.ts';
import { offerWords } from '../../prompt/offer-words.ts';

/** Bytes of requests in one list, so that a client can take it whatever agents ask. */
const MOST_BYTES = 3_000_000;

/** What has not ended, by creation, then id; as many as fit, and how many there are. */
export async function listPending(
  store: RequestStore,
): Promise<{ readonly requests: readonly ListedRequest[]; readonly total: number }> {
  const records = await store.listUnfinished();
  const requests: ListedRequest[] = [];
  let bytes = 0;
  for (const record of records.slice(0, MOST_LISTED)) {
    const listed = listedOf(record);
    bytes += Buffer.byteLength(JSON.stringify(listed));
    if (bytes > MOST_BYTES) break;
    requests.push(listed);
  }
  return { requests, total: records.length };
}

function listedOf(record: RequestRecord): ListedRequest {
  const { requestId, pendingId, session, createdAt, deadline, status } = record;
  return {
    requestId,
    ...(pendingId === undefined ? {} : { pendingId }),
    status: status === 'claimed' || status === 'ended' ? 'recorded' : status,
    sessionId: session.sessionId,
    agent: session.program ?? session.agent,
    workspace: session.workspace,
    ...(session.branch === undefined ? {} : { branch: session.branch }),
    startedBy: session.startedBy,
    createdAt: new Date(createdAt).toISOString(),
    ...(deadline === undefined ? {} : { deadline: new Date(deadline).toISOString() }),
    ...(record.kind === 'questions'
      ? { questions: listedQuestions(record.batch) }
      : { questions: [], proposal: listedProposal(record.view.proposal) }),
  };
}

function listedQuestions({ questions }: QuestionBatch): ListedRequest['questions'] {
  return questions.map((asked, index) => ({
    header: asked.header,
    question: asked.question,
    multiSelect: asked.multiSelect,
    options: asked.options.map(({ label, description }, option) => ({
      id: `q${index}.o${option}`,
      label,
      description,
    })),
  }));
}

/** An option's id is its pick, so that `resolve` names what the audit will. */
function listedProposal(proposal: Proposal): NonNullable<ListedRequest['proposal']> {
  const { tool, effect, reason, targets, hosts, cwd, full } = proposal;
  const granting = offersOf(proposal).map((offer) => {
    const { label, meaning } = offerWords(offer);
    return { id: offer.scope, label, description: meaning };
  });
  return {
    tool,
    effect,
    reason,
    targets: targets.map(({ path }) => path),
    hosts: [...hosts],
    cwd,
    text: full.text,
    options: [...granting, { id: 'deny', label: 'Deny', description: 'it is not run' }],
  };
}
