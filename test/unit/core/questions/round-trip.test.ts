import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HandraiseError } from '../../../../src/core/errors.ts';
import { isOffered } from '../../../../src/core/picks.ts';
import { decodeAnswers, encodeAnswers } from '../../../../src/core/questions/answers.ts';
import { normaliseQuestions, type Origin } from '../../../../src/core/questions/normalise.ts';
import { asking } from '../../../support/requests.ts';
import { answeredBatches, batches } from './generated.ts';

describe('any batch that keeps the contract', () => {
  it('is taken from a model unchanged, and from callers and history as well', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        expect(normaliseQuestions(batch, 'model')).toEqual(batch);
        for (const origin of ['caller', 'history'] as const) {
          const read = normaliseQuestions(batch, origin);
          expect(read.questions.map(({ header: _, ...rest }) => rest)).toEqual(
            batch.questions.map(({ header: _, ...rest }) => rest),
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('gets every answer back exactly after a way over the wire', () => {
    fc.assert(
      fc.property(answeredBatches, ({ batch, sheet }) => {
        const wire = JSON.parse(JSON.stringify(encodeAnswers(batch, sheet)));
        const answered = sheet.map((answer) => (answer.status === 'answered' ? answer : { status: 'skipped' }));
        expect(decodeAnswers(batch, wire)).toEqual(answered);
      }),
      { numRuns: 500 },
    );
  });

  it('offers every answer an operator could give', () => {
    fc.assert(
      fc.property(answeredBatches, ({ batch, sheet }) => {
        expect(isOffered(asking(batch), { kind: 'answers', sheet })).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('anything else', () => {
  it.each<Origin>(['model', 'caller', 'history'])('is a batch or a refusal with a reason, from a %s', (origin) => {
    const nearly = fc.anything({ key: fc.constantFrom('questions', 'question', 'header', 'options', 'label', 'x') });
    fc.assert(
      fc.property(nearly, (input) => {
        try {
          const batch = normaliseQuestions(input, origin);
          expect(normaliseQuestions(batch, origin)).toEqual(batch);
        } catch (thrown) {
          if (!(thrown instanceof HandraiseError)) throw thrown;
          expect(thrown.code).toBe('invalid_questions');
          expect(thrown.message).not.toContain('Invalid input');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is an answer that the batch offers, or a refusal with a reason', () => {
    const value = fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 }), fc.jsonValue());
    fc.assert(
      fc.property(batches, fc.dictionary(fc.string(), value), fc.array(value), (batch, strange, values) => {
        const known = Object.fromEntries(batch.questions.map((asked, index) => [asked.question, values[index]]));
        for (const answers of [strange, known]) {
          try {
            const sheet = decodeAnswers(batch, { answers });
            expect(isOffered(asking(batch), { kind: 'answers', sheet })).toBe(true);
          } catch (thrown) {
            if (!(thrown instanceof HandraiseError)) throw thrown;
            expect(thrown.code).toBe('invalid_answers');
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
