import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcomes.ts';
import type { CardPhase } from '../../../src/core/ports/surface-adapter.ts';
import type { Proposal } from '../../../src/core/proposals/contract.ts';
import { FOR_SESSION, ONCE, pushOf, TURN, writeOf } from '../../support/proposals.ts';
import { openProposal } from '../../support/recording-host.ts';
import { ANA } from '../../support/requests.ts';
import { type MakeStage, postProposal, stages } from './harness.ts';

const AT = Date.UTC(2026, 7, 3, 10);
const ACTOR = { ...ANA, name: 'Ana' };
const commandOf = (text: string, more: Partial<Proposal> = {}) => writeOf({ full: { kind: 'command', text }, ...more });

/** What fits a card, one of each look. */
const SHORT: readonly { readonly name: string; readonly proposal: Proposal; readonly word: string }[] = [
  { name: 'a write', proposal: writeOf(), word: 'WRITE' },
  { name: 'an external step', proposal: pushOf(), word: 'EXTERNAL' },
  {
    name: 'a step of unknown effect of a sub-agent',
    proposal: writeOf({
      effect: 'unknown',
      tags: ['code-exec'],
      agent: { id: 'a1b2', type: 'reviewer' },
      cwd: null,
      offers: [{ ...TURN, covers: 'same-digest' }, ONCE, { ...FOR_SESSION, covers: 'same-digest' }],
    }),
    word: 'UNKNOWN',
  },
  {
    name: 'a change of a file',
    proposal: writeOf({
      tool: 'Edit',
      full: { kind: 'diff', path: '/home/ana/api/src/a.ts', text: '@@ -1 +1 @@\n-let a = 1;\n+let a = 2;' },
    }),
    word: 'WRITE',
  },
  {
    name: 'an unlisted tool',
    proposal: writeOf({
      tool: 'mcp__db__query',
      full: { kind: 'input', text: '{"sql":"DROP TABLE users"}' },
      effect: 'unknown',
    }),
    word: 'UNKNOWN',
  },
  {
    name: 'a command of hostile text',
    proposal: commandOf('echo "<!channel> @everyone <@U1> [x](https://evil.example) *b* ~~s~~ ```\nfence"', {
      agentSays: '*Allowed by Ana* <!here> @everyone https://evil.example',
    }),
    word: 'WRITE',
  },
];

/** What does not fit, and why. */
const LONG: readonly { readonly name: string; readonly proposal: Proposal; readonly end: string }[] = [
  { name: 'of 41 lines', proposal: commandOf(`${'echo x\n'.repeat(40)}rm last`), end: 'rm last' },
  { name: 'of 2,801 characters', proposal: commandOf(`echo ${'x'.repeat(2_788)} rm last`), end: 'rm last' },
  { name: 'of 20,000 characters', proposal: commandOf(`${'echo "ä"\n'.repeat(2_200)}rm last`), end: 'rm last' },
  { name: 'of 100,000 characters', proposal: commandOf(`${'echo "ä"\n'.repeat(11_100)}rm last`), end: 'rm last' },
  {
    name: 'that writes more files than a card lists',
    proposal: writeOf({
      targets: Array.from({ length: 30 }, (_, index) => ({
        path: `/home/ana/api/f${index}`,
        inside: true,
        later: false,
      })),
    }),
    end: 'f29',
  },
];

const ENDS: readonly (readonly [Outcome, string])[] = [
  [{ kind: 'granted', scope: 'action' }, 'Allowed: this one call'],
  [{ kind: 'granted', scope: 'turn' }, 'Allowed: this step and every later write inside the workspace until this turn'],
  [{ kind: 'denied' }, 'Denied: it was not run'],
  [{ kind: 'denied', note: 'Use @everyone <!here> staging.' }, 'Note to the agent'],
  [{ kind: 'timed_out', shown: true, waitedMs: 300_000 }, 'this is not a refusal'],
  [{ kind: 'cancelled' }, 'Withdrawn'],
  [{ kind: 'superseded' }, 'Replaced'],
  [{ kind: 'owner_lost' }, 'Agent gone'],
  [{ kind: 'undeliverable', reason: 'nothing works' }, 'Given up'],
  [{ kind: 'indeterminate' }, 'Not confirmed'],
  [{ kind: 'indeterminate', reason: 'bad_signature' }, 'Not accepted'],
];

/** A step that is put to people: what its card shows, what its buttons decide, and how it ends. */
export function proposals(makeStage: MakeStage): void {
  const open = stages(makeStage);

  describe.each(SHORT)('the card of $name', ({ proposal, word }) => {
    it('shows its effect first, all that will run, and what each button grants', async () => {
      const stage = await open();
      const ref = await postProposal(stage, proposal);
      const { text, controls } = stage.see(ref);
      expect(text.indexOf(word)).toBeGreaterThanOrEqual(0);
      expect(text.indexOf(word)).toBeLessThan(100);
      expect(text).toContain('2 people on Slack');
      expect(controls).toBe(proposal.offers.length + 2);
      expect(stage.mentions).toEqual([]);
    });

    it.each(proposal.offers.map(({ scope }) => scope))('grants %s by its button', async (scope) => {
      const stage = await open();
      const ref = await postProposal(stage, proposal);
      await stage.grant(ref, scope);
      const { requestId, decision, actor, interactionId } = await stage.host.response();
      expect({ requestId, decision }).toEqual({ requestId: 'request-1', decision: { kind: 'granted', scope } });
      expect(actor).toMatchObject({ platform: stage.adapter.platform, standing: 'member' });
      expect(interactionId).not.toBe('');
      expect(stage.host.responses).toHaveLength(1);
    });

    it('is denied by a button, and with a note that reaches the gateway to the letter', async () => {
      const stage = await open();
      const ref = await postProposal(stage, proposal);
      await stage.press(ref, 'Deny');
      expect((await stage.host.response()).decision).toEqual({ kind: 'denied' });
      await stage.denyWith(ref, 'Use the <staging> bucket & @nobody.');
      expect((await stage.host.response(2)).decision).toEqual({
        kind: 'denied',
        note: 'Use the <staging> bucket & @nobody.',
      });
    });

    it('shows its end, whatever it is, and offers nothing then', async () => {
      const stage = await open();
      const ref = await postProposal(stage, proposal);
      const { view } = openProposal(proposal);
      const offered = new Set(proposal.offers.map(({ scope }) => scope));
      const ends: readonly (readonly [CardPhase, string])[] = [
        [
          { phase: 'recorded', decision: { kind: 'granted', scope: 'action' }, actor: ACTOR, at: AT },
          'Recorded, waiting for the agent',
        ],
        ...ENDS.filter(
          ([outcome]) => outcome.kind !== 'granted' || (offered.has(outcome.scope) && word === 'WRITE'),
        ).map(
          ([outcome, words]) =>
            [
              { phase: 'ended', outcome, at: AT, ...(/granted|denied/.test(outcome.kind) ? { actor: ACTOR } : {}) },
              words,
            ] as const,
        ),
      ];
      for (const [state, words] of ends) {
        await stage.adapter.update(ref, { view, state });
        await stage.until(ref, ({ text, controls }) => text.includes(words) && controls === 0);
        if (state.phase === 'ended' && state.actor !== undefined) expect(stage.see(ref).text).toContain('by Ana');
      }
      expect(stage.mentions).toEqual([]);
    });
  });

  it('an external step takes a second step, and backing out of it decides nothing', async () => {
    const stage = await open();
    const ref = await postProposal(stage, pushOf());
    await stage.backOut(ref, 'action');
    expect(stage.host.responses).toEqual([]);
    await stage.press(ref, 'Deny');
    expect((await stage.host.response()).decision).toEqual({ kind: 'denied' });
    expect(stage.host.responses).toHaveLength(1);
  });

  describe.each(LONG)('a step $name', ({ proposal, end }) => {
    it('cannot be allowed from its card, only reviewed and denied', async () => {
      const stage = await open();
      const ref = await postProposal(stage, proposal);
      expect(stage.see(ref).controls).toBe(3);
      await stage.press(ref, 'Deny');
      expect((await stage.host.response()).decision).toEqual({ kind: 'denied' });
    });

    it('is shown whole in Review, and may be allowed there', async () => {
      const stage = await open();
      const ref = await postProposal(stage, proposal);
      expect(await stage.review(ref)).toContain(end);
      await stage.grantInReview(ref, 'action');
      expect((await stage.host.response()).decision).toEqual({ kind: 'granted', scope: 'action' });
      expect(stage.host.responses).toHaveLength(1);
      expect(stage.mentions).toEqual([]);
    });
  });

  it('is redrawn by the click that decided it', async () => {
    const stage = await open();
    const ref = await postProposal(stage, writeOf());
    await stage.grant(ref, 'turn');
    const { redraw } = await stage.host.response();
    const { view } = openProposal(writeOf());
    const state: CardPhase = { phase: 'ended', outcome: { kind: 'granted', scope: 'turn' }, actor: ACTOR, at: AT };
    expect(await redraw?.(ref, { view, state })).toBe(true);
    await stage.until(ref, ({ text, controls }) => text.includes('Allowed') && controls === 0);
  });

  it('tells whoever came too late in private', async () => {
    const stage = await open();
    const ref = await postProposal(stage, writeOf());
    stage.host.reply = 'Already denied by Ben 3 s ago.';
    await stage.grant(ref, 'action');
    await stage.host.response();
    await expect.poll(() => stage.told(ref), { timeout: 20_000 }).toEqual([expect.stringContaining('by Ben 3 s ago')]);
  });

  it.each([
    ['revoke', 'Revoke', { kind: 'granted', scope: 'turn' }],
    ['askagain', 'Ask again', { kind: 'timed_out', shown: true, waitedMs: 300_000 }],
  ] as const)('offers %s on the card of one that ended, only where it is given', async (later, words, outcome) => {
    const stage = await open();
    const ref = await postProposal(stage, writeOf());
    const { view } = openProposal(writeOf());
    await stage.adapter.update(ref, { view, state: { phase: 'ended', outcome, at: AT, later } });
    await stage.until(ref, ({ controls }) => controls === 1);
    stage.host.reply = 'Done.';
    await stage.press(ref, words);
    await expect.poll(() => stage.host.laterActions, { timeout: 20_000 }).toEqual([later]);
    await expect.poll(() => stage.told(ref), { timeout: 20_000 }).toEqual([expect.stringContaining('Done')]);
    expect(stage.host.responses).toEqual([]);
  });
}
