import type { Actor } from '../../src/core/actor.ts';
import { newRecord } from '../../src/core/lifecycle.ts';
import type { Prompter } from '../../src/core/ports/prompter.ts';
import type { Question, QuestionBatch } from '../../src/core/questions/contract.ts';
import type { NewQuestions, NewRequest, RequestRecord, SessionFacts } from '../../src/core/request.ts';
import { questionView } from '../../src/prompt/card-view.ts';

/** A question with two or more labels; descriptions say which option they belong to. */
export function question(text: string, labels: readonly string[], more: Partial<Question> = {}): Question {
  return {
    question: text,
    header: 'Choice',
    multiSelect: false,
    options: labels.map((label) => ({ label, description: `What ${label} means.` })),
    ...more,
  };
}

export function batchOf(...questions: readonly Question[]): QuestionBatch {
  return { questions };
}

export const SESSION: SessionFacts = {
  sessionId: 'session-1',
  agent: 'claude-code',
  workspace: '/home/ana/api',
  branch: 'main',
  startedBy: 'ana@laptop',
};

export const ANA: Actor = { platform: 'slack', workspaceId: 'T1', userId: 'U1', name: 'Ana', standing: 'member' };
export const BEN: Actor = { ...ANA, userId: 'U2', name: 'Ben' };

/** The batch as what a decision is judged by. */
export function asking(batch: QuestionBatch): Pick<NewQuestions, 'kind' | 'batch'> {
  return { kind: 'questions', batch };
}

/** What was asked, in a record of questions. */
export function batchIn(record: NewRequest | undefined): QuestionBatch {
  if (record?.kind !== 'questions') throw new Error('no record of questions');
  return record.batch;
}

/** For prompters that no gate is behind. */
export const PROPOSES_NOTHING: Pick<Prompter, 'propose'> = {
  propose: async () => {
    throw new Error('nothing was to be proposed');
  },
};

/** A request as an owner hands it over. */
export function requestOf(requestId: string, batch: QuestionBatch, more: Partial<NewQuestions> = {}): NewQuestions {
  return {
    requestId,
    ownerId: 'owner-1',
    session: SESSION,
    kind: 'questions',
    batch,
    view: questionView(requestId, SESSION, batch),
    waitMs: 300_000,
    ...more,
  };
}

/** A record as the store would hold it right after the request came in. */
export function recordOf(requestId: string, batch: QuestionBatch, now: number): RequestRecord {
  return newRecord(requestOf(requestId, batch), now);
}
