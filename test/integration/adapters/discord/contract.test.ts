import { expect } from 'vitest';
import type { CardRef } from '../../../../src/core/request.ts';
import { type SurfaceStage, surfaceAdapterContract } from '../../../contracts/surface-adapter-contract.ts';
import type { ScreenControl, ScreenMessage } from '../../../doubles/discord/index.ts';
import { openStage } from './stage.ts';

surfaceAdapterContract('Discord', async (): Promise<SurfaceStage> => {
  const { discord, adapter, host, ana, place } = await openStage({ rateLimits: false });
  const person = discord.user(ana);
  const find = ({ thread, message }: CardRef): ScreenMessage => {
    const found = discord.screen(ana, thread).messages.find(({ id }) => id === message);
    if (found === undefined) throw new Error(`no message ${message}`);
    return found;
  };
  const seen = (ref: CardRef) => ({
    text: find(ref).notification,
    controls: find(ref).controls.filter(({ disabled }) => !disabled).length,
  });
  const control = (ref: CardRef, ends: string): Promise<ScreenControl> =>
    discord.until(ana, ref.thread, () =>
      find(ref).controls.find(({ customId, disabled }) => customId.endsWith(ends) && !disabled),
    );
  const click = async (ref: CardRef, ends: string) => {
    const { customId } = await control(ref, ends);
    await person.click({ channel: ref.thread, message: ref.message, customId }).settled;
  };
  const write = async (ref: CardRef, opener: string, field: string, text: string) => {
    await click(ref, opener);
    await discord.until(ana, ref.thread, (screen) => screen.modals.length > 0);
    person.type({ customId: field }, text);
    await person.submit().settled;
  };
  /** The private message with something to press in it. */
  const privately = (ref: CardRef): Promise<ScreenMessage> =>
    discord.until(ana, ref.thread, (screen) =>
      screen.messages.find(({ ephemeral, controls }) => ephemeral && controls.length > 0),
    );
  const pressPrivately = async (ref: CardRef, scope: string) => {
    const { id } = await privately(ref);
    await person.click({ channel: ref.thread, message: id, customId: new RegExp(`\\.c${scope}$`) }).settled;
  };
  return {
    adapter,
    host,
    place,
    nowhere: { platform: 'discord', channel: '112233445566778899' },
    mentions: discord.mentions,
    see: seen,
    async until(ref, see) {
      await discord.until(ana, ref.thread, () => see(seen(ref)));
    },
    choose: (ref, option) => click(ref, `.o${option}`),
    async press(ref, words) {
      await person.click({ channel: ref.thread, message: ref.message, label: words }).settled;
    },
    typeOther: (ref, text) => write(ref, '.other', 'q0.other', text),
    async fill(ref, { questions }, deeds) {
      const openers = find(ref).controls.map(({ customId }) => customId.split('.').at(-1));
      if (!openers.includes('steps')) {
        const [{ picks = [], other, notes } = {}] = deeds;
        await click(ref, openers.includes('answer') ? '.answer' : '.note');
        await discord.until(ana, ref.thread, (screen) => screen.modals.length > 0);
        if (picks.length > 0)
          person.select(
            { customId: 'q0.pick' },
            picks.map((pick) => `o${pick}`),
          );
        if (other !== undefined) person.type({ customId: 'q0.other' }, other);
        if (notes !== undefined) person.type({ customId: 'q0.notes' }, notes);
        await person.submit().settled;
        return;
      }
      await click(ref, '.steps');
      for (const [index, { picks = [], other, notes }] of deeds.entries()) {
        if (index > 0) await click(ref, `.s${index}.go`);
        await control(ref, `.s${index}.note`);
        if (picks.length > 0) {
          const { customId } = await control(ref, `.s${index}.pick`);
          await person.select(
            { channel: ref.thread, customId },
            picks.map((pick) => `o${pick}`),
          )?.settled;
        }
        if (other !== undefined) await write(ref, `.s${index}.other`, `q${index}.other`, other);
        if (notes !== undefined) await write(ref, `.s${index}.note`, `q${index}.notes`, notes);
      }
      const done = deeds.filter(({ picks = [], other }) => picks.length > 0 || other !== undefined).length;
      await discord.until(ana, ref.thread, () =>
        find(ref).controls.find(({ text }) => text === `Send (${done} of ${questions.length})`),
      );
      await click(ref, '.send');
    },
    async grant(ref, scope) {
      const { customId } = await control(ref, scope);
      await person.click({ channel: ref.thread, message: ref.message, customId }).settled;
      if (customId.endsWith(`.v${scope}`)) await pressPrivately(ref, scope);
    },
    async backOut(ref, scope) {
      await click(ref, `.v${scope}`);
      await privately(ref);
    },
    denyWith: (ref, note) => write(ref, '.denynote', 'note', note),
    async review(ref) {
      await click(ref, '.review');
      const shown = await privately(ref);
      return `${shown.notification}\n${shown.files.map(({ content }) => content).join('\n')}`;
    },
    grantInReview: (ref, scope) => pressPrivately(ref, scope),
    told: ({ thread }) =>
      discord
        .screen(ana, thread)
        .messages.filter((message) => message.ephemeral)
        .map((message) => message.notification),
    async close() {
      await adapter.stop(500);
      await discord.close();
      expect(discord.violations).toEqual([]);
    },
  };
});
