import * as z from 'zod';
import { sentenceOf } from '../../../src/core/errors.ts';
import type { InteractionResult as DiscordResult } from '../discord/index.ts';
import type { InteractionResult } from '../slack/index.ts';
import { discordActs, touchDiscord } from './discord-act.ts';
import type { Person, PlaygroundWorkspace } from './workspace.ts';

/** Where a control is. Without `message` it stands in the modal in front. */
const control = { message: z.string().optional(), block: z.string(), action: z.string() };

const slackActs = z.discriminatedUnion('do', [
  z.object({ do: z.literal('click'), ...control, confirm: z.boolean().optional() }),
  z.object({ do: z.literal('select'), ...control, options: z.array(z.string()) }),
  z.object({ do: z.literal('type'), ...control, text: z.string() }),
  z.object({ do: z.literal('submit') }),
  z.object({ do: z.literal('close'), how: z.enum(['one', 'all']) }),
]);

const schema = z.object({
  user: z.string(),
  act: z.discriminatedUnion('on', [
    z.object({ on: z.literal('slack'), what: slackActs }),
    z.object({ on: z.literal('discord'), what: discordActs }),
  ]),
});

/** `done`: filled in, nothing to wait for. `refused`: that person cannot do that on their screen. */
export type ActResult =
  | InteractionResult
  | DiscordResult
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; reason: string };

/** Does what the page was told to do, through the double's own rules of what a person can do. */
export async function performAct(workspace: PlaygroundWorkspace, body: unknown): Promise<ActResult> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) return { kind: 'refused', reason: `The page sent something unknown: ${parsed.error.message}` };
  const { user, act } = parsed.data;
  const person = workspace.people.find(({ id }) => id === user);
  if (!person) return { kind: 'refused', reason: 'There is nobody with this id.' };
  try {
    const interaction =
      act.on === 'slack' ? touch(workspace, person, act.what) : touchDiscord(workspace, person, act.what);
    return interaction === undefined ? { kind: 'done' } : await interaction.settled;
  } catch (error) {
    // The first line says what; below it is a drawing of the whole screen.
    const [reason = ''] = sentenceOf(error).split('\n');
    return { kind: 'refused', reason: `That is not possible any more. ${reason}` };
  }
}

function touch({ slack, channel }: PlaygroundWorkspace, { id }: Person, act: z.output<typeof slackActs>) {
  const operator = slack.user(id);
  switch (act.do) {
    case 'click':
      return operator.click({
        ...targetOf(channel.id, act),
        ...(act.confirm === undefined ? {} : { confirm: act.confirm }),
      });
    case 'select':
      return operator.select(targetOf(channel.id, act), act.options);
    case 'type':
      operator.type(targetOf(channel.id, act), act.text);
      return undefined;
    case 'submit':
      return operator.submit();
    case 'close':
      return operator.closeModal(act.how);
  }
}

function targetOf(
  channel: string,
  { message, block, action }: { message?: string | undefined; block: string; action: string },
) {
  return message === undefined ? { block, action } : { channel, message, block, action };
}
