import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textLength } from '../../../../adapters/slack/blocks.ts';
import { answerForm, otherForm } from '../../../../adapters/slack/form.ts';
import { SLACK } from '../../../../adapters/slack/limits.ts';
import { renderCard, renderThread } from '../../../../adapters/slack/render.ts';
import type { Outcome } from '../../../../src/core/outcomes.ts';
import { outcomeOfSheet } from '../../../../src/core/outcomes.ts';
import type { CardPhase } from '../../../../src/core/ports/surface-adapter.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import { answersTo, batches } from '../../../support/batches.ts';
import { ANA, SESSION } from '../../../support/requests.ts';
import { drawMessage, drawView, legalMessage, legalView } from './drawn.ts';

/** Properties take seconds on a busy machine. */
const PATIENCE_MS = 60_000;
const at = Date.UTC(2026, 7, 3, 10);
const OTHER_ENDS: readonly Outcome[] = [
  { kind: 'declined' },
  { kind: 'timed_out', shown: true, waitedMs: 300_000 },
  { kind: 'cancelled' },
  { kind: 'superseded' },
  { kind: 'owner_lost' },
  { kind: 'undeliverable', reason: '<!channel> `x`' },
  { kind: 'indeterminate' },
];

/** A batch with every state its card can be in. */
const cards = batches.chain((batch) =>
  fc.tuple(...batch.questions.map(answersTo)).chain((sheet) => {
    const actor = { ...ANA, name: '<!here> *Ana* \u202E' };
    const states: CardPhase[] = [
      { phase: 'open', deadline: at },
      { phase: 'recorded', decision: { kind: 'answers', sheet }, actor, at },
      ...[outcomeOfSheet(sheet), ...OTHER_ENDS].map((outcome) => ({ phase: 'ended', outcome, actor, at }) as const),
    ];
    return fc.constantFrom(...states).map((state) => ({ view: questionView('request-1', SESSION, batch), state }));
  }),
);

test(
  'every card of every batch in every state is legal, and nothing of the agent takes effect in it',
  () => {
    fc.assert(
      fc.property(cards, (card) => {
        const payload = renderCard(card);
        expect(legalMessage(payload).issues).toEqual([]);
        const drawn = drawMessage(payload);
        expect(drawn.active).toEqual([]);
        expect(payload.text.length).toBeLessThanOrEqual(SLACK.fallbackText);
        expect(payload.blocks.length).toBeLessThanOrEqual(SLACK.messageBlocks);
        expect(textLength(payload.blocks)).toBeLessThan(SLACK.messageText);
        for (const block of payload.blocks) if (block.type === 'actions') expect(block.elements.length).toBeLessThan(6);
        if (card.state.phase !== 'open') expect(drawn.controls).toEqual([]);
        const looks = drawn.controls.map((control) => control.shown);
        expect(new Set(looks).size).toBe(looks.length);
        for (const control of drawn.controls) expect(control.text.length).toBeLessThanOrEqual(SLACK.buttonTextShown);
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test(
  'every form of every batch is legal and inert',
  () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const view = questionView('request-1', SESSION, batch);
        for (const form of [answerForm, otherForm]) {
          const drawn = form(view, { requestId: 'request-1', channel: 'C1', message: '1.1' });
          expect(legalView(drawn).issues).toEqual([]);
          expect(drawView(drawn).active).toEqual([]);
          expect(drawn.blocks.length).toBeLessThanOrEqual(SLACK.viewBlocks);
          expect(drawn.title.text.length).toBeLessThanOrEqual(SLACK.viewTitle);
        }
      }),
      { numRuns: 100 },
    );
  },
  PATIENCE_MS,
);

test('the parent line is legal and inert whatever the workspace and branch are called', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (branch, folder) => {
      const session = { ...SESSION, branch: `<!channel>${branch}`, workspace: `/w/<@U1>${folder}` };
      const payload = renderThread(session);
      expect(legalMessage(payload).issues).toEqual([]);
      expect(drawMessage(payload).active).toEqual([]);
    }),
  );
});

test(
  'a card whose every text is as long as the socket allows still fits',
  () => {
    const long = (letter: string) => letter.repeat(7_000);
    const batch = {
      questions: [0, 1, 2, 3].map((n) => ({
        question: long(`${n}&`),
        header: long('H'),
        multiSelect: n % 2 === 0,
        options: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((o) => ({
          label: long(`${o}<`),
          description: long('"\u202E'),
          ...(n % 2 === 0 ? {} : { preview: long('p') }),
        })),
      })),
    };
    const view = questionView('request-1', SESSION, batch);
    expect(legalMessage(renderCard({ view, state: { phase: 'open', deadline: at } }))).toEqual({ issues: [] });
    expect(legalView(answerForm(view, { requestId: 'request-1' }))).toEqual({ issues: [] });
  },
  PATIENCE_MS,
);
