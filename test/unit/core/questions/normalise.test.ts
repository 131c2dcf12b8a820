import { describe, expect, it } from 'vitest';
import { HandraiseError } from '../../../../src/core/errors.ts';
import { normaliseQuestions, type Origin } from '../../../../src/core/questions/normalise.ts';
import { asked, call, RULES } from './rules.ts';

describe('the question contract', () => {
  it.each(RULES)('$origin: $rule', ({ origin, refused, says, accepted }) => {
    expect(refusalOf(refused, origin)).toBe(`The questions were not asked: ${says}.`);
    expect(() => normaliseQuestions(accepted, origin)).not.toThrow();
  });

  it('gives a model back exactly what it sent, with multiSelect false where it was left out', () => {
    const sent = {
      questions: [
        {
          question: 'Which database? 🗄',
          header: 'Database',
          options: [
            { label: 'Postgres (Recommended)', description: 'A server.', preview: '```sql\nselect 1\n```' },
            { label: 'SQLite', description: 'A file.' },
          ],
        },
      ],
      metadata: { source: 'planning' },
    };
    const batch = normaliseQuestions(sent, 'model');
    expect(batch).toEqual({ ...sent, questions: [{ ...sent.questions[0], multiSelect: false }] });
    expect(normaliseQuestions(batch, 'model')).toEqual(batch);
  });

  it('repeats no more of a long text than it takes to recognise it', () => {
    const label = 'x'.repeat(100_000);
    const options = [1, 2].map(() => ({ label, description: 'x' }));
    expect(refusalOf(call({ options }), 'model')).toBe(
      `The questions were not asked: questions[0].options: two options are called "${'x'.repeat(79)}…"; make the labels differ.`,
    );
    expect(refusalOf(call({ options }), 'caller').length).toBeLessThan(300);
  });

  it('takes __proto__ as text and as label', () => {
    const batch = normaliseQuestions(
      call({
        question: '__proto__',
        options: ['__proto__', 'constructor'].map((label) => ({ label, description: 'x' })),
      }),
      'model',
    );
    expect(batch.questions[0]).toMatchObject({
      question: '__proto__',
      options: [{ label: '__proto__' }, { label: 'constructor' }],
    });
  });
});

describe('what older wires and scripts leave out', () => {
  it.each<Origin>(['history', 'caller'])('is filled for %s: header, description, multiSelect', (origin) => {
    expect(
      normaliseQuestions({ questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }] }] }, origin),
    ).toEqual({
      questions: [
        {
          question: 'Which?',
          header: 'Question',
          multiSelect: false,
          options: [
            { label: 'a', description: '' },
            { label: 'b', description: '' },
          ],
        },
      ],
    });
  });

  it.each<Origin>(['history', 'caller'])('may be null for %s', (origin) => {
    const nulls = { header: null, multiSelect: null, options: [{ label: 'a', description: null, preview: null }, 'b'] };
    expect(normaliseQuestions({ questions: [asked(nulls)], metadata: null }, origin).questions[0]).toEqual({
      question: 'Which database?',
      header: 'Question',
      multiSelect: false,
      options: [
        { label: 'a', description: '' },
        { label: 'b', description: '' },
      ],
    });
  });

  it.each<Origin>(['history', 'caller'])('may be the list around a single question of %s', (origin) => {
    const batch = normaliseQuestions({ question: 'Which?', options: ['a', 'b'], multiSelect: true }, origin);
    expect(batch.questions).toMatchObject([
      { question: 'Which?', multiSelect: true, options: [{ label: 'a' }, { label: 'b' }] },
    ]);
  });

  it.each<Origin>(['history', 'caller'])('is one text box for a question of %s without options', (origin) => {
    expect(normaliseQuestions({ question: 'What name?' }, origin).questions[0]?.options).toEqual([]);
  });

  it.each<Origin>(['history', 'caller'])(
    'is understood from an Other of %s, which every surface adds by itself',
    (origin) => {
      const batch = normaliseQuestions({ question: 'Which?', options: ['a', 'b', ' other '] }, origin);
      expect(batch.questions[0]?.options.map((option) => option.label)).toEqual(['a', 'b']);
    },
  );

  it('keeps a long header of history whole, since only its display is cut', () => {
    const header = 'A header longer than twelve characters';
    expect(normaliseQuestions(call({ header }), 'history').questions[0]?.header).toBe(header);
  });

  it('drops previews of multi-select questions in history, where they never showed', () => {
    const options = [
      { label: 'a', description: 'x', preview: '# a' },
      { label: 'b', description: 'y' },
    ];
    expect(normaliseQuestions(call({ options, multiSelect: true }), 'history').questions[0]?.options[0]).toEqual({
      label: 'a',
      description: 'x',
    });
  });

  it('takes an option that history offers twice as one, since nobody can correct it and the answer is the same', () => {
    const options = [{ label: 'a', description: 'first' }, { label: 'b' }, { label: 'a', description: 'again' }];
    expect(normaliseQuestions(call({ options }), 'history').questions[0]?.options).toEqual([
      { label: 'a', description: 'first' },
      { label: 'b', description: '' },
    ]);
  });

  it('drops what neither history nor a caller can mean', () => {
    const batch = normaliseQuestions({ questions: [asked({ id: 'q1' })], context: 'why' }, 'history');
    expect(batch).toEqual(call({}));
  });

  it('understands a single option of history', () => {
    expect(
      normaliseQuestions({ question: 'Go on?', options: ['Yes', 'Other'] }, 'history').questions[0]?.options,
    ).toEqual([{ label: 'Yes', description: '' }]);
  });
});

function refusalOf(input: unknown, origin: Origin): string {
  try {
    normaliseQuestions(input, origin);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(HandraiseError);
    expect(thrown).toMatchObject({ code: 'invalid_questions', hint: expect.any(String) });
    return (thrown as Error).message;
  }
  return 'accepted';
}
