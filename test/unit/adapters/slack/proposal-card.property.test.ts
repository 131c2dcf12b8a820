import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textLength } from '../../../../adapters/slack/blocks.ts';
import { SLACK } from '../../../../adapters/slack/limits.ts';
import { denyForm, fitsReview, reviewForm } from '../../../../adapters/slack/proposal-form.ts';
import { renderCard } from '../../../../adapters/slack/render.ts';
import type { Outcome } from '../../../../src/core/outcomes.ts';
import type { CardPhase, ProposalCard } from '../../../../src/core/ports/surface-adapter.ts';
import { offersOf } from '../../../../src/core/proposals/contract.ts';
import { proposalView } from '../../../../src/prompt/card-view.ts';
import { drawnText } from '../../../../src/prompt/full-text.ts';
import { EFFECT_WORDS } from '../../../../src/prompt/proposal-words.ts';
import { pushOf, writeOf } from '../../../support/proposals.ts';
import { ANA, SESSION } from '../../../support/requests.ts';
import { wildProposals } from '../../../support/wild-proposals.ts';
import { drawMessage, drawView, legalMessage, legalView } from './drawn.ts';

/** Properties take seconds on a busy machine. */
const PATIENCE_MS = 60_000;
const at = Date.UTC(2026, 7, 3, 10);
const actor = { ...ANA, name: '<!here> *Ana* \u202E' };
const OPEN: CardPhase = { phase: 'open', deadline: at, approvers: '2 people on Slack' };
const note = '<!channel> `x` *b*';
const ENDS: readonly Outcome[] = [
  { kind: 'granted', scope: 'turn' },
  { kind: 'granted', scope: 'action' },
  { kind: 'denied', note },
  { kind: 'timed_out', shown: true, waitedMs: 300_000 },
  { kind: 'cancelled' },
  { kind: 'owner_lost' },
  { kind: 'undeliverable', reason: '<!channel> `x`' },
  { kind: 'indeterminate' },
];
const STATES: readonly CardPhase[] = [
  OPEN,
  { phase: 'recorded', decision: { kind: 'denied', note }, actor, at },
  ...ENDS.map((outcome) => ({ phase: 'ended', outcome, actor, at }) as const),
];
const cards: fc.Arbitrary<ProposalCard> = fc
  .tuple(wildProposals, fc.constantFrom(...STATES))
  .map(([proposal, state]) => ({ view: proposalView('request-1', SESSION, proposal), state }));
const squeezed = (text: string) => text.replace(/\s+/g, '');

test(
  'every card of every proposal in every state is legal, and nothing of the agent takes effect in it',
  () => {
    fc.assert(
      fc.property(cards, (card) => {
        const payload = renderCard(card);
        expect(legalMessage(payload).issues).toEqual([]);
        const drawn = drawMessage(payload);
        expect(drawn.active).toEqual([]);
        expect(payload.text.length).toBeLessThanOrEqual(SLACK.fallbackText);
        expect(textLength(payload.blocks)).toBeLessThan(SLACK.messageText);
        for (const block of payload.blocks) if (block.type === 'actions') expect(block.elements.length).toBeLessThan(6);
        if (card.state.phase !== 'open') expect(drawn.controls).toEqual([]);
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test(
  'its effect and facts begin within the first 600 characters, the agent’s own word stands last',
  () => {
    fc.assert(
      fc.property(wildProposals, (proposal) => {
        const { text } = drawMessage(renderCard({ view: proposalView('r1', SESSION, proposal), state: OPEN }));
        const characters = [...text].slice(0, 600).join('');
        expect(characters).toContain(EFFECT_WORDS[proposal.effect].word);
        expect(characters).toContain('Why: ');
        expect(text.lastIndexOf('The agent says (not verified):')).toBeGreaterThan(text.indexOf('answer by'));
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test(
  'where it can be allowed, all that will run is on the card; where not, only Review and Deny',
  () => {
    fc.assert(
      fc.property(wildProposals, (proposal) => {
        const { text, controls } = drawMessage(
          renderCard({ view: proposalView('r1', SESSION, proposal), state: OPEN }),
        );
        const looks = controls.map((control) => control.text);
        if (looks.includes('Review…')) {
          expect(looks).toEqual(['Review…', 'Deny', 'Deny with note…']);
        } else {
          expect(looks).toHaveLength(offersOf(proposal).length + 2);
          expect(squeezed(text)).toContain(squeezed(drawnText(proposal.full).text));
        }
      }),
      { numRuns: 200 },
    );
  },
  PATIENCE_MS,
);

test(
  'every review and refusal form is legal, inert, and shows all of it',
  () => {
    fc.assert(
      fc.property(wildProposals, (proposal) => {
        const view = proposalView('r1', SESSION, proposal);
        const place = { requestId: 'r1', channel: 'C1', message: '1.1' };
        for (const form of [reviewForm(view, place), denyForm(view, place)]) {
          expect(legalView(form).issues).toEqual([]);
          expect(drawView(form).active).toEqual([]);
        }
        const review = reviewForm(view, place);
        if (!fitsReview(view)) return;
        expect(squeezed(drawView(review).text)).toContain(squeezed(drawnText(proposal.full).text));
      }),
      { numRuns: 100 },
    );
  },
  PATIENCE_MS,
);

test.each(['x', '&', '\u202E', '字', '😀', '\n', ' x\n'])(
  'the longest texts (%j) fit a card from which nothing can be allowed',
  (letter) => {
    const long = letter.repeat(7_000);
    const most = letter.repeat(Math.floor(524_288 / Buffer.byteLength(letter)));
    const proposal = writeOf({
      full: { kind: 'command', text: most },
      reason: long,
      part: long,
      tool: long,
      agentSays: long,
      cwd: long,
      agent: { id: long, type: long },
      hosts: Array(50).fill(long),
      programs: Array.from({ length: 50 }, (_, index) => ({ name: `${index}${long}`, effect: 'write', text: long })),
      targets: Array(50).fill({ path: `/home/ana/api/${long}`, inside: false, later: true }),
    });
    const session = { ...SESSION, branch: long, program: long, startedBy: long, workspace: `/${long}` };
    const payload = renderCard({ view: proposalView('r1', session, proposal), state: OPEN });
    expect(legalMessage(payload).issues).toEqual([]);
    expect(textLength(payload.blocks)).toBeLessThan(SLACK.messageText);
    expect(drawMessage(payload).controls.map(({ text }) => text)).toEqual(['Review…', 'Deny', 'Deny with note…']);
  },
  PATIENCE_MS,
);

test('the lock screen says what is wanted, in our words', () => {
  const textOf = (proposal: Parameters<typeof proposalView>[2]) =>
    renderCard({ view: proposalView('r1', SESSION, proposal), state: OPEN }).text;
  const edit = writeOf({ tool: 'Edit', full: { kind: 'diff', path: '/home/ana/api/src/a.ts', text: '+x' } });
  expect(textOf(edit)).toBe('[write] edit src/a.ts in api (main)');
  expect(textOf(pushOf({ agentSays: 'harmless' }))).toBe('[external] run git push origin main in api (main)');
});

test('an external step looks like no other, and asks once more', () => {
  const card = (proposal: Parameters<typeof proposalView>[2]) =>
    drawMessage(renderCard({ view: proposalView('r1', SESSION, proposal), state: OPEN }));
  const [allow] = card(pushOf()).controls;
  expect(allow).toMatchObject({ text: 'Allow once…', confirm: { title: 'Really allow this?' } });
  expect(card(writeOf()).controls.every(({ confirm }) => confirm === undefined)).toBe(true);
});
