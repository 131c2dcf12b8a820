import { expect } from 'vitest';
import { type SurfaceStage, surfaceAdapterContract } from '../../../contracts/surface-adapter-contract.ts';
import type { ScreenMessage } from '../../../doubles/slack/index.ts';
import { everyMessage, wordsOf } from '../../../support/embedded-slack.ts';
import { openStage } from './stage.ts';

surfaceAdapterContract('Slack', async (): Promise<SurfaceStage> => {
  const { slack, adapter, host, ana, channel, place } = await openStage();
  const person = slack.user(ana);
  const everything = () => everyMessage(slack.screen(ana, channel).messages);
  const find = (ts: string): ScreenMessage => {
    const found = everything().find((message) => message.ts === ts);
    if (found === undefined) throw new Error(`no message ${ts}`);
    return found;
  };
  const seen = (ts: string) => ({ text: wordsOf(find(ts)), controls: find(ts).controls.length });
  const modal = () => slack.until(ana, channel, (screen) => screen.modals.find((one) => one.submit !== undefined));
  const press = async (words: string) => {
    await person.click({ channel, label: words }).settled;
  };
  return {
    adapter,
    host,
    place,
    nowhere: { platform: 'slack', channel: 'C0NOWHERE' },
    mentions: slack.mentions,
    see: ({ message }) => seen(message),
    async until({ message }, see) {
      await slack.until(ana, channel, () => see(seen(message)));
    },
    async choose({ message }, option) {
      const action = find(message).controls[option]?.actionId ?? '';
      await person.click({ channel, action }).settled;
    },
    press: (_, words) => press(words),
    async typeOther(_, text) {
      await press('Other…');
      await modal();
      person.type({ label: 'Your answer' }, text);
      await person.submit().settled;
    },
    async fill({ message }, batch, deeds) {
      const labels = find(message).controls.map((control) => control.text);
      await press(labels.includes('Answer…') ? 'Answer…' : 'Note…');
      await modal();
      deeds.forEach(({ picks = [], other, notes }, index) => {
        const values = picks.map((pick) => `o${pick}`);
        const [only = ''] = values;
        if (values.length > 0)
          person.select({ block: `q${index}.pick` }, batch.questions[index]?.multiSelect === true ? values : only);
        if (other !== undefined) person.type({ block: `q${index}.other` }, other);
        if (notes !== undefined) person.type({ block: `q${index}.notes` }, notes);
      });
      await person.submit().settled;
    },
    async grant({ message }, scope) {
      const action = `handraise.g${scope}`;
      const asks = find(message).controls.find((control) => control.actionId === action)?.confirm !== undefined;
      await person.click({ channel, action, ...(asks ? { confirm: true } : {}) }).settled;
    },
    async backOut(_, scope) {
      await person.click({ channel, action: `handraise.g${scope}`, confirm: false }).settled;
    },
    async denyWith(_, note) {
      await press('Deny with note…');
      await modal();
      person.type({ block: 'note' }, note);
      await person.submit().settled;
    },
    async review() {
      await press('Review…');
      const modal = await slack.until(ana, channel, (screen) => screen.modals.find((one) => one.submit !== undefined));
      const files = everything().flatMap(({ files: attached }) => attached.map(({ content }) => String(content)));
      return [JSON.stringify(modal), ...files].join('\n');
    },
    async grantInReview(_, scope) {
      person.select({ block: 'grant' }, scope);
      await person.submit().settled;
    },
    told: () =>
      everything()
        .filter((message) => message.ephemeral)
        .map(wordsOf),
    async close() {
      await adapter.stop(500);
      await slack.close();
      expect(slack.violations).toEqual([]);
    },
  };
});
