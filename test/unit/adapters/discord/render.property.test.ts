import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDraft } from '../../../../adapters/discord/draft.ts';
import { answerForm, formFits, otherForm, stepForm } from '../../../../adapters/discord/form.ts';
import { renderCard, renderPointer, renderRetired, renderThread } from '../../../../adapters/discord/render.ts';
import type { Outcome } from '../../../../src/core/outcomes.ts';
import { outcomeOfSheet } from '../../../../src/core/outcomes.ts';
import type { Card, CardPhase } from '../../../../src/core/ports/surface-adapter.ts';
import { lengthOf } from '../../../../src/core/text.ts';
import { visible } from '../../../../src/core/visible.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { answersTo, batches } from '../../../support/batches.ts';
import { ANA, SESSION } from '../../../support/requests.ts';
import { complaintsAboutMessage, complaintsAboutModal, drawn } from './drawn.ts';

/** Properties take seconds on a busy machine. */
const PATIENCE_MS = 60_000;
const at = Date.UTC(2026, 7, 3, 10);
const OTHER_ENDS: readonly Outcome[] = [
  { kind: 'declined' },
  { kind: 'timed_out', shown: true, waitedMs: 300_000 },
  { kind: 'cancelled' },
  { kind: 'superseded' },
  { kind: 'owner_lost' },
  { kind: 'undeliverable', reason: '@everyone `x`' },
  { kind: 'indeterminate' },
];

/** A batch with every state its card can be in. */
const cards: fc.Arbitrary<Card> = batches.chain((batch) =>
  fc.tuple(...batch.questions.map(answersTo)).chain((sheet) => {
    const actor = { ...ANA, name: '@here **Ana** \u202E' };
    const states: CardPhase[] = [
      { phase: 'open', deadline: at },
      { phase: 'recorded', decision: { kind: 'answers', sheet }, actor, at },
      ...[outcomeOfSheet(sheet), ...OTHER_ENDS].map((outcome) => ({ phase: 'ended', outcome, actor, at }) as const),
    ];
    return fc.constantFrom(...states).map((state) => ({ view: questionView('request-1', SESSION, batch), state }));
  }),
);

/** An open card with a draft in any state. */
const drafts = batches.chain((batch) =>
  fc
    .tuple(
      fc.nat(batch.questions.length - 1),
      fc.tuple(
        ...batch.questions.map((asked) =>
          answersTo(asked).map((answer) =>
            answer.status === 'answered'
              ? {
                  picks: answer.labels.map((label) => asked.options.findIndex((option) => option.label === label)),
                  skipped: false,
                  by: { userId: '2', name: '<@1> Ben' },
                  ...(answer.other === undefined ? {} : { other: answer.other }),
                  ...(answer.notes === undefined ? {} : { notes: answer.notes }),
                }
              : null,
          ),
        ),
      ),
    )
    .map(([shown, entries]) => ({
      card: {
        view: questionView('request-1', SESSION, batch),
        state: { phase: 'open', deadline: at },
      } satisfies Card,
      draft: readDraft({
        revision: 1,
        body: JSON.stringify({
          holder: { userId: '1', name: '@everyone' },
          touchedAt: at,
          last: '1',
          at: shown,
          entries,
        }),
      }),
    })),
);

test(
  'every card of every batch in every state is legal, and nothing of the agent takes effect in it',
  () => {
    fc.assert(
      fc.property(cards, (card) => {
        const { components, files } = renderCard(card);
        expect(
          complaintsAboutMessage(
            components,
            files.map(({ name }) => name),
          ),
        ).toEqual([]);
        const { active, controls } = drawn(components);
        expect(active).toEqual([]);
        if (card.state.phase !== 'open') expect(controls).toEqual([]);
        const looks = controls.map((control) => control.shown);
        expect(new Set(looks).size).toBe(looks.length);
        expect(drawn(renderPointer(card, 'https://discord.com/channels/1/2/3').components).active).toEqual([]);
        expect(
          complaintsAboutMessage(renderPointer(card, 'https://discord.com/channels/1/2/3').components, []),
        ).toEqual([]);
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test(
  'every draft of every batch is legal, and nothing of the agent or of a person takes effect in it',
  () => {
    fc.assert(
      fc.property(drafts, ({ card, draft }) => {
        expect(draft).toBeDefined();
        const { components, files } = renderCard(card, draft);
        expect(
          complaintsAboutMessage(
            components,
            files.map(({ name }) => name),
          ),
        ).toEqual([]);
        expect(drawn(components).active).toEqual([]);
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test(
  'every form of every batch is legal',
  () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const view = questionView('request-1', SESSION, batch);
        if (formFits(batch.questions)) expect(complaintsAboutModal(answerForm(view))).toEqual([]);
        if (batch.questions.length === 1) expect(complaintsAboutModal(otherForm(view))).toEqual([]);
        batch.questions.forEach((_, index) => {
          for (const what of ['other', 'note'] as const)
            expect(complaintsAboutModal(stepForm(view, index, what, null))).toEqual([]);
        });
      }),
      { numRuns: 100 },
    );
  },
  PATIENCE_MS,
);

test(
  'what the agent wrote is read to the letter, hidden characters made visible',
  () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const [asked] = batch.questions;
        if (asked === undefined || lengthOf(asked.question) > 150) return;
        const { components } = renderCard({
          view: questionView('request-1', SESSION, { questions: [asked] }),
          state: { phase: 'open', deadline: at },
        });
        const squeezed = (text: string) => text.replace(/[\s>]+/g, '');
        expect(squeezed(drawn(components).text)).toContain(squeezed(visible(asked.question)));
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test('the parent line is legal and inert whatever the workspace and branch are called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (branch, folder) => {
      const session = { ...SESSION, branch: `@everyone${branch}`, workspace: `/w/<@1>${folder}` };
      const { components, name } = renderThread(session);
      expect(complaintsAboutMessage(components, [])).toEqual([]);
      expect(drawn(components).active).toEqual([]);
      expect(lengthOf(name)).toBeLessThanOrEqual(100);
      expect(lengthOf(name)).toBeGreaterThan(0);
    }),
  );
});

test('the end of a card whose content is not known any more is legal', () => {
  const { components } = renderRetired({ kind: 'owner_lost' }, at);
  expect(complaintsAboutMessage(components, [])).toEqual([]);
  expect(drawn(components).text).toContain('Agent gone');
});

test.each(['x', '*', '\u202E', '字', '😀', '"'])(
  'a card of four questions with nine options, every text thousands of %s long, still fits',
  (letter) => {
    const long = (n: number) => `${n}${letter.repeat(7_000)}`;
    const batch = {
      questions: [0, 1, 2, 3].map((n) => ({
        question: long(n),
        header: long(n),
        multiSelect: n % 2 === 0,
        options: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((o) => ({
          label: long(o),
          description: long(o),
          ...(n % 2 === 0 ? {} : { preview: long(o) }),
        })),
      })),
    };
    const view = questionView('request-1', SESSION, batch);
    const open: Card = { view, state: { phase: 'open', deadline: at } };
    const { components, files } = renderCard(open);
    expect(complaintsAboutMessage(components, ['question.txt'])).toEqual([]);
    expect(files[0]?.data).toContain(visible(long(9)).slice(0, 6_000));
    const sheet = batch.questions.map(({ options }) => ({
      status: 'answered' as const,
      labels: options.map(({ label }) => label),
      other: long(1),
      notes: long(2),
    }));
    const ended: Card = { view, state: { phase: 'ended', outcome: outcomeOfSheet(sheet), actor: ANA, at } };
    expect(complaintsAboutMessage(renderCard(ended).components, [])).toEqual([]);
  },
  PATIENCE_MS,
);
