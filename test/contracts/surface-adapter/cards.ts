import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcomes.ts';
import { outcomeOfSheet } from '../../../src/core/outcomes.ts';
import type { Card } from '../../../src/core/ports/surface-adapter.ts';
import { SurfaceError } from '../../../src/core/ports/surface-adapter.ts';
import { openCard } from '../../support/recording-host.ts';
import { ANA, SESSION } from '../../support/requests.ts';
import { type MakeStage, post, stages } from './harness.ts';
import { SHAPES } from './shapes.ts';

const AT = Date.UTC(2026, 7, 3, 10);
const ACTOR = { ...ANA, name: 'Ana' };

/** How a request may have ended, and what every platform says of it. */
const OTHER_ENDS: readonly (readonly [Outcome, string])[] = [
  [{ kind: 'declined' }, 'Left to the agent'],
  [{ kind: 'timed_out', shown: true, waitedMs: 300_000 }, 'Timed out: nobody answered within 5 minutes'],
  [{ kind: 'cancelled' }, 'Withdrawn'],
  [{ kind: 'superseded' }, 'Replaced'],
  [{ kind: 'owner_lost' }, 'Agent gone'],
  [{ kind: 'undeliverable', reason: 'nothing works' }, 'Given up: it could not be posted (nothing works)'],
  [{ kind: 'indeterminate' }, 'Not confirmed'],
];

/** Posting, redrawing, finding again: what the gateway builds on. */
export function cards(makeStage: MakeStage): void {
  const open = stages(makeStage);

  describe.each(SHAPES)('a card of $name', ({ batch, answers }) => {
    it('shows the end of its request, whatever it is, and offers nothing then', async () => {
      const stage = await open();
      const ref = await post(stage, batch);
      expect(stage.see(ref).controls).toBeGreaterThan(0);
      const { view } = openCard(batch);
      const first = answers[0]?.deeds ?? [];
      const answered = batch.questions.map((asked, index) => {
        const { picks = [], other } = first[index] ?? {};
        const labels = picks.map((pick) => asked.options[pick]?.label ?? '');
        return { status: 'answered', labels, ...(other === undefined ? {} : { other }) } as const;
      });
      const skipped = batch.questions.map(() => ({ status: 'skipped' }) as const);
      const ends: readonly (readonly [Card['state'], string])[] = [
        [
          { phase: 'recorded', decision: { kind: 'answers', sheet: answered }, actor: ACTOR, at: AT },
          'Recorded, waiting for the agent',
        ],
        [{ phase: 'ended', outcome: outcomeOfSheet(answered), actor: ACTOR, at: AT }, 'Answered'],
        [{ phase: 'ended', outcome: outcomeOfSheet(skipped), actor: ACTOR, at: AT }, 'Skipped'],
        ...OTHER_ENDS.map(([outcome, words]) => [{ phase: 'ended', outcome, at: AT }, words] as const),
      ];
      for (const [state, words] of ends) {
        await stage.adapter.update(ref, { view, state });
        await stage.until(ref, ({ text, controls }) => text.includes(words) && controls === 0);
        if (state.phase === 'ended' && state.actor !== undefined) expect(stage.see(ref).text).toContain('by Ana');
      }
      expect(stage.mentions).toEqual([]);
    });
  });

  const [{ batch }] = SHAPES as readonly [(typeof SHAPES)[number]];

  it('is redrawn by the click that decided it', async () => {
    const stage = await open();
    const ref = await post(stage, batch);
    await stage.choose(ref, 0);
    const { redraw, decision } = await stage.host.response();
    const { view } = openCard(batch);
    const sheet = decision.kind === 'answers' ? decision.sheet : [];
    const card: Card = { view, state: { phase: 'ended', outcome: outcomeOfSheet(sheet), actor: ACTOR, at: AT } };
    expect(await redraw?.({ ...ref, message: '123456789' }, card)).toBe(false);
    expect(await redraw?.(ref, card)).toBe(true);
    await stage.until(ref, ({ text, controls }) => text.includes('Answered') && controls === 0);
  });

  it('is found again by its request, and its thread by its session', async () => {
    const stage = await open();
    const ref = await post(stage, batch);
    expect(await stage.adapter.findCard(stage.place, ref.thread, 'request-1')).toEqual(ref);
    expect(await stage.adapter.findCard(stage.place, undefined, 'request-1')).toEqual(ref);
    expect(await stage.adapter.findCard(stage.place, ref.thread, 'request-2')).toBeUndefined();
    expect(await stage.adapter.findThread(stage.place, SESSION.sessionId)).toBe(ref.thread);
    expect(await stage.adapter.findThread(stage.place, 'another session')).toBeUndefined();
  });

  it('that is found again with all that belongs to it is announced no second time', async () => {
    const stage = await open();
    const ref = await post(stage, batch);
    const found = await stage.adapter.findCard(stage.place, ref.thread, 'request-1');
    expect(await stage.adapter.announce(found ?? ref, openCard(batch))).toEqual(ref);
    expect(await stage.adapter.findCard(stage.place, undefined, 'request-1')).toEqual(ref);
  });

  it('is retired without its content, and one that is gone needs nothing', async () => {
    const stage = await open();
    const ref = await post(stage, batch);
    await stage.adapter.retire(ref, { kind: 'owner_lost' });
    await stage.until(ref, ({ text, controls }) => text.includes('Agent gone') && controls === 0);
  });

  it('may be drawn twice alike', async () => {
    const stage = await open();
    const ref = await post(stage, batch);
    const card: Card = {
      view: openCard(batch).view,
      state: { phase: 'ended', outcome: { kind: 'cancelled' }, at: AT },
    };
    await stage.adapter.update(ref, card);
    const once = stage.see(ref);
    await stage.adapter.update(ref, card);
    expect(stage.see(ref)).toEqual(once);
  });

  it('cannot go where there is no channel: refused for good, with a cure', async () => {
    const stage = await open();
    const refusal = await stage.adapter.checkPlace(stage.nowhere).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SurfaceError);
    expect(refusal).toMatchObject({ permanent: true, hint: expect.any(String) });
    await expect(stage.adapter.openThread(stage.nowhere, SESSION)).rejects.toMatchObject({ permanent: true });
    await expect(stage.adapter.checkPlace(stage.place)).resolves.toBeUndefined();
  });

  it('tells whoever came too late in private, and nobody else', async () => {
    const stage = await open();
    const ref = await post(stage, batch);
    stage.host.reply = 'Already answered by Ben 3 s ago.';
    await stage.choose(ref, 0);
    await stage.host.response();
    await expect.poll(() => stage.told(ref), { timeout: 20_000 }).toEqual([expect.stringContaining('by Ben 3 s ago')]);
    stage.host.cards.clear();
    await stage.choose(ref, 1);
    await expect.poll(() => stage.told(ref), { timeout: 20_000 }).toHaveLength(2);
    expect(stage.host.responses).toHaveLength(1);
  });

  it('is connected while it is started', async () => {
    const stage = await open();
    expect(stage.adapter.health()).toMatchObject({ connected: true });
    await stage.adapter.stop(0);
    expect(stage.adapter.health()).toMatchObject({ connected: false });
  });
}
