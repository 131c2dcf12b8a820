import type { QuestionBatch } from '../../core/questions/contract.ts';
import { normaliseQuestions } from '../../core/questions/normalise.ts';
import type { SessionFacts } from '../../core/request.ts';

/** The label that the self-test chooses. */
export const WORKS = 'It works';

/** The request of the self-test. People may see it for a second or two. */
export function testBatch(): QuestionBatch {
  return normaliseQuestions(
    {
      questions: [
        {
          question: 'This is handraise doctor, trying itself out. Nobody needs to answer: it goes away by itself.',
          header: 'Self-test',
          options: [
            { label: WORKS, description: 'doctor chooses this' },
            { label: 'Ignore it', description: 'nothing happens' },
          ],
          multiSelect: false,
        },
      ],
    },
    'caller',
  );
}

/** A session of its own, and with it a thread of its own. `agent` decides which binding it belongs to. */
export function testSession(session: SessionFacts, sessionId: string, agent: string): SessionFacts {
  return { ...session, sessionId, agent, program: 'handraise doctor' };
}

/** For one step of the self-test, in ms: a post may have to be tried again after a second or two. */
export const STEP_MS = 12_000;

/** How long whatever was begun may take to be cleaned up, in ms. */
export const GRACE_MS = 3_000;

export const SELF_TEST_CURE = 'Run doctor with --verbose to see what the gateway logs.';
