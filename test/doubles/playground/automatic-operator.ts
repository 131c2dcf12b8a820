import type { InteractionResult as DiscordResult } from '../discord/index.ts';
import type { InteractionResult, Screen, ScreenControl, ScreenMessage, ScreenModal } from '../slack/index.ts';
import { HOW, WHERE } from './agent/questions.ts';
import { discordPane } from './discord-pane.ts';
import type { Person, PlaygroundWorkspace } from './workspace.ts';

/** What is answered, and therefore what the agent must have received. */
export const CHOICES = {
  where: WHERE.questions[0].options[0].label,
  routes: [HOW.questions[0].options[0].label, HOW.questions[0].options[1].label],
  /** Typed as Other. */
  ownRoute: 'The newsletter form, too',
  reply: HOW.questions[1].options[0].label,
} as const;

/** Who answers, and in which project the agent works whose cards are theirs. */
export interface Answering {
  readonly workspace: PlaygroundWorkspace;
  readonly who: Person;
  readonly project: string;
}

/**
 * Answers one demonstration agent, with nothing but what is on that person's screens: the first question on Discord,
 * the others on Slack. `tell` hears what is being done. Rejects with a drawing of the screen when
 * something expected is not there within `withinMs`.
 */
export async function answerEverything(
  { workspace, who, project }: Answering,
  withinMs: number,
  tell: (platform: 'slack' | 'discord', line: string) => void,
): Promise<void> {
  const { slack, channel } = workspace;
  const { id, name } = who;
  const operator = slack.user(id);
  const see = <T>(what: (screen: Screen) => T | undefined) => slack.until(id, channel.id, what, withinMs);
  const press = async (label: string): Promise<void> => {
    const card = await see((screen) => cardsOf(screen, project).find((one) => hasButton(one, label)));
    tell('slack', `${name} taps "${label}" for ${project}`);
    await done(operator.click({ channel: channel.id, message: card.ts, label }));
  };

  await pressOnDiscord({ workspace, who, project }, CHOICES.where, withinMs, (line) => tell('discord', line));
  await press('Answer…');
  const form = await see((screen) => screen.modals.find(({ submit }) => submit !== undefined));
  const boxes = first(form, 'checkboxes');
  tell('slack', `${name} ticks "${CHOICES.routes.join('", "')}"`);
  operator.select(placeOf(boxes), [...CHOICES.routes, optionLike(boxes, /^Other/)]);
  tell('slack', `${name} types "${CHOICES.ownRoute}"`);
  operator.type(placeOf(first(form, 'plain_text_input')), CHOICES.ownRoute);
  tell('slack', `${name} chooses "${CHOICES.reply}"`);
  operator.select(placeOf(first(form, 'radio_buttons')), CHOICES.reply);
  tell('slack', `${name} sends the form`);
  await done(operator.submit());
  await see((screen) => (screen.modals.length === 0 ? true : undefined));
}

/** Those whose notification says that they are from there. */
function cardsOf(screen: Screen, project: string): ScreenMessage[] {
  return screen.messages
    .flatMap((message) => [message, ...message.replies])
    .filter(({ notification }) => notification.includes(` in ${project}`));
}

function hasButton({ controls }: ScreenMessage, label: string): boolean {
  return controls.some(({ text }) => text === label);
}

/** Every control outside modals, also in threads. */
export function controlsIn(screen: Screen): ScreenControl[] {
  return screen.messages.flatMap((message) => [message, ...message.replies].flatMap(({ controls }) => controls));
}

/** In the thread of the project's session, where the cards are. */
async function pressOnDiscord(
  { workspace: { discord, discordChannel }, who: { discordId, name }, project }: Answering,
  label: string,
  withinMs: number,
  tell: (line: string) => void,
): Promise<void> {
  const thread = await discord.until(
    discordId,
    discordChannel.id,
    ({ messages }) => messages.find(({ thread }) => thread?.name.includes(` in ${project}`))?.thread?.id,
    withinMs,
  );
  const see = ({ text }: { readonly text: string }) => text === label;
  await discord.until(
    discordId,
    thread,
    ({ messages }) => messages.some(({ controls }) => controls.some(see)),
    withinMs,
  );
  tell(`${name} taps "${label}" for ${project}`);
  await done(discord.user(discordId).click({ channel: thread, label }));
}

/** Labels of the live controls on Discord, in the channel and its threads. */
export function discordControlsIn(workspace: PlaygroundWorkspace): string[] {
  const { channel, threads } = discordPane(workspace, workspace.people[0]);
  const messages = [channel, ...threads].flatMap((screen) => screen.messages);
  return messages.flatMap(({ controls }) => controls.filter(({ disabled }) => !disabled).map(({ text }) => text));
}

async function done(interaction: {
  readonly type: string;
  readonly settled: Promise<InteractionResult | DiscordResult>;
}): Promise<void> {
  const result = await interaction.settled;
  if (result.kind === 'unacked') throw new Error(`the platform got no answer to ${interaction.type}: ${result.reason}`);
  if (result.kind === 'kept') throw new Error(`the form is not complete: ${Object.values(result.errors).join(' ')}`);
}

function first(form: ScreenModal, kind: ScreenControl['kind']): ScreenControl {
  const found = form.controls.find((control) => control.kind === kind);
  if (found === undefined) throw new Error(`the form "${form.title}" has no ${kind}`);
  return found;
}

function optionLike(control: ScreenControl, text: RegExp): string {
  const found = control.options.find((option) => text.test(option.text));
  if (found === undefined) throw new Error(`no option reads like ${text}`);
  return found.value;
}

function placeOf({ blockId, actionId }: ScreenControl) {
  return { block: blockId, action: actionId };
}
