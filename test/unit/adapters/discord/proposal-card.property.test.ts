import fc from 'fast-check';
import { expect, test } from 'vitest';
import { confirmView, denyForm, reviewView } from '../../../../adapters/discord/proposal-views.ts';
import { renderCard, renderPointer } from '../../../../adapters/discord/render.ts';
import type { Outcome } from '../../../../src/core/outcomes.ts';
import type { CardPhase, ProposalCard } from '../../../../src/core/ports/surface-adapter.ts';
import { offersOf } from '../../../../src/core/proposals/contract.ts';
import { proposalView } from '../../../../src/prompt/card-view.ts';
import { drawnText } from '../../../../src/prompt/full-text.ts';
import { EFFECT_WORDS } from '../../../../src/prompt/proposal-words.ts';
import { pushOf, writeOf } from '../../../support/proposals.ts';
import { ANA, SESSION } from '../../../support/requests.ts';
import { wildProposals } from '../../../support/wild-proposals.ts';
import { complaintsAboutMessage, complaintsAboutModal, drawn } from './drawn.ts';

/** Properties take seconds on a busy machine. */
const PATIENCE_MS = 60_000;
const at = Date.UTC(2026, 7, 3, 10);
const actor = { ...ANA, name: '@here **Ana** \u202E' };
const OPEN: CardPhase = { phase: 'open', deadline: at, approvers: '2 people on Discord' };
const note = '@everyone `x` **b**';
const ENDS: readonly Outcome[] = [
  { kind: 'granted', scope: 'turn' },
  { kind: 'granted', scope: 'action' },
  { kind: 'denied', note },
  { kind: 'timed_out', shown: true, waitedMs: 300_000 },
  { kind: 'cancelled' },
  { kind: 'owner_lost' },
  { kind: 'undeliverable', reason: '@everyone `x`' },
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
const squeezed = (text: string) => text.replace(/[\s>]+/g, '');
const URL = 'https://discord.com/channels/1/2/3';

test(
  'every card of every proposal in every state is legal, and nothing of the agent takes effect in it',
  () => {
    fc.assert(
      fc.property(cards, (card) => {
        const { components } = renderCard(card);
        expect(complaintsAboutMessage(components, [])).toEqual([]);
        const { active, controls } = drawn(components);
        expect(active).toEqual([]);
        if (card.state.phase !== 'open') expect(controls).toEqual([]);
        const pointer = renderPointer(card, URL).components;
        expect(complaintsAboutMessage(pointer, [])).toEqual([]);
        expect(drawn(pointer).active).toEqual([]);
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
        const { text } = drawn(renderCard({ view: proposalView('r1', SESSION, proposal), state: OPEN }).components);
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
        const card = { view: proposalView('r1', SESSION, proposal), state: OPEN };
        const { text, controls } = drawn(renderCard(card).components);
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
  'every private view and refusal form is legal and inert, and Review holds all of it',
  () => {
    fc.assert(
      fc.property(wildProposals, (proposal) => {
        const view = proposalView('r1', SESSION, proposal);
        const review = reviewView(view);
        const names = review.files.map(({ name }) => name);
        expect(complaintsAboutMessage(review.components, names)).toEqual([]);
        expect(drawn(review.components).active).toEqual([]);
        expect(review.files[0]?.data).toContain(drawnText(proposal.full).text);
        for (const { scope } of offersOf(proposal)) {
          const confirm = confirmView(view, scope);
          if (confirm === undefined) continue;
          expect(complaintsAboutMessage(confirm.components, [])).toEqual([]);
          expect(drawn(confirm.components).active).toEqual([]);
        }
        expect(complaintsAboutModal(denyForm(view))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  },
  PATIENCE_MS,
);

test.each(['x', '*', '\u202E', '字', '😀', '\n', ' x\n', '`'])(
  'the longest texts (%j) fit a card from which nothing can be allowed, and a review',
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
    const view = proposalView('r1', session, proposal);
    const { components } = renderCard({ view, state: OPEN });
    expect(complaintsAboutMessage(components, [])).toEqual([]);
    expect(drawn(components).controls.map(({ text }) => text)).toEqual(['Review…', 'Deny', 'Deny with note…']);
    const review = reviewView(view);
    expect(
      complaintsAboutMessage(
        review.components,
        review.files.map(({ name }) => name),
      ),
    ).toEqual([]);
  },
  PATIENCE_MS,
);

test('the line in the channel says what is wanted, in our words', () => {
  const { text } = drawn(
    renderPointer({ view: proposalView('r1', SESSION, pushOf({ agentSays: 'harmless' })), state: OPEN }, URL)
      .components,
  );
  expect(text).toContain('[external] run git push origin main in api (main)');
});
