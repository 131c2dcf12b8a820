import * as z from 'zod';
import type { Interaction } from '../discord/index.ts';
import type { Person, PlaygroundWorkspace } from './workspace.ts';

/** Where a control is. Without `message` it stands in the open modal. */
const control = { channel: z.string(), message: z.string().optional(), customId: z.string() };

/** What a person does on Discord's part of the page. */
export const discordActs = z.discriminatedUnion('do', [
  z.object({ do: z.literal('click'), ...control }),
  z.object({ do: z.literal('select'), ...control, options: z.array(z.string()) }),
  z.object({ do: z.literal('type'), ...control, text: z.string() }),
  z.object({ do: z.literal('submit') }),
  z.object({ do: z.literal('close') }),
]);

/** Undefined: filled in or closed, nothing to wait for. Throws what that person cannot do on their screen. */
export function touchDiscord(
  { discord }: PlaygroundWorkspace,
  { discordId }: Person,
  act: z.output<typeof discordActs>,
): Interaction | undefined {
  const operator = discord.user(discordId);
  switch (act.do) {
    case 'click':
      return operator.click(targetOf(act));
    case 'select':
      return operator.select(targetOf(act), act.options);
    case 'type':
      operator.type(targetOf(act), act.text);
      return undefined;
    case 'submit':
      return operator.submit();
    case 'close':
      operator.closeModal();
      return undefined;
  }
}

function targetOf({ channel, message, customId }: { channel: string; message?: string | undefined; customId: string }) {
  return message === undefined ? { customId } : { channel, message, customId };
}
