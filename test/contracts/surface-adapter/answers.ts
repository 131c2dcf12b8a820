import { describe, expect, it } from 'vitest';
import { type MakeStage, post, stages } from './harness.ts';
import { SHAPES, sheetOfDeeds } from './shapes.ts';

/** Every shape by every path: what reaches the gateway is the same on every platform. */
export function answers(makeStage: MakeStage): void {
  const open = stages(makeStage);

  describe.each(SHAPES)('$name', ({ batch, buttons, answers: ways }) => {
    it.each(ways)('is answered with $name', async ({ deeds }) => {
      const stage = await open();
      const ref = await post(stage, batch);
      await stage.fill(ref, batch, deeds);
      const { requestId, decision, actor, interactionId } = await stage.host.response();
      expect(requestId).toBe('request-1');
      expect(decision).toEqual({ kind: 'answers', sheet: sheetOfDeeds(batch, deeds) });
      expect(actor).toMatchObject({
        platform: stage.adapter.platform,
        workspaceId: ref.workspaceId,
        name: expect.stringMatching(/^ana$/i),
        standing: 'member',
      });
      expect(interactionId).not.toBe('');
      expect(stage.host.responses).toHaveLength(1);
      expect(stage.mentions).toEqual([]);
    });

    it('is skipped, or left to the agent, by one button', async () => {
      const stage = await open();
      const ref = await post(stage, batch);
      await stage.press(ref, 'Skip');
      expect((await stage.host.response()).decision).toEqual({
        kind: 'answers',
        sheet: batch.questions.map(() => ({ status: 'skipped' })),
      });
      await stage.press(ref, 'Decide without us');
      expect((await stage.host.response(2)).decision).toEqual({ kind: 'declined' });
    });

    if (buttons) {
      it('is answered by the button of an option, with its exact label', async () => {
        const stage = await open();
        const ref = await post(stage, batch);
        for (const [option, { label }] of (batch.questions[0]?.options ?? []).entries()) {
          await stage.choose(ref, option);
          expect((await stage.host.response(option + 1)).decision).toEqual({
            kind: 'answers',
            sheet: [{ status: 'answered', labels: [label] }],
          });
        }
      });

      it('takes typed words for Other', async () => {
        const stage = await open();
        const ref = await post(stage, batch);
        await stage.typeOther(ref, 'none of <these> & @everyone');
        expect((await stage.host.response()).decision).toEqual({
          kind: 'answers',
          sheet: [{ status: 'answered', labels: [], other: 'none of <these> & @everyone' }],
        });
      });
    }
  });
}
