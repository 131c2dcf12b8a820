import { asList, asText, type Obj } from '../../json.ts';
import type { MessageRecord } from '../messages.ts';
import { PERMISSIONS } from '../permissions.ts';
import { createDirectory } from '../render/directory.ts';
import type { Effect } from '../render/inline.ts';
import { drawMarkdown } from '../render/markdown.ts';
import { flatten } from '../rules/components.ts';
import type { World } from '../world.ts';
import { botPermissions } from './access.ts';

const NOBODY = { user: () => undefined, role: () => undefined, channel: () => undefined, now: () => 0 };

/**
 * Whom a message mentions after `allowed_mentions`. Left out, an ordinary message mentions everybody it names, and a
 * response to an interaction users only.
 */
export function readMentions(
  content: string,
  components: readonly Obj[],
  allowed: Obj,
  given: boolean,
  interaction: boolean,
): MessageRecord['mentions'] {
  const effects: Effect[] = [];
  for (const { text } of textsOf(content, components)) drawMarkdown(text, NOBODY, (one) => effects.push(one));
  const parse = given ? asList(allowed['parse']) : interaction ? ['users'] : ['users', 'roles', 'everyone'];
  const named = (kind: 'user' | 'role', key: 'users' | 'roles') => {
    const ids = effects.filter((one) => one.kind === kind).map((one) => one.target);
    const listed = asList(allowed[key]);
    return [...new Set(ids)].filter((id) => parse.includes(key) || listed.includes(id));
  };
  const everyone = effects.some((one) => one.kind === 'everyone' || one.kind === 'here') && parse.includes('everyone');
  return { everyone, users: named('user', 'users'), roles: named('role', 'roles') };
}

/** Records every mention and link of a message that the bot wrote. An edit pings nobody. */
export function recordMentions(world: World, message: MessageRecord, how: 'post' | 'edit'): void {
  const channel = world.guilds.channel(message.channelId);
  const guild = channel && world.guilds.guildOf(channel);
  const names = createDirectory(world, guild);
  const mayAll = channel ? (botPermissions(world, guild, channel) & PERMISSIONS.mention_everyone) !== 0n : false;
  const { mentions } = message;
  const pings = ({ kind, target }: Effect): boolean => {
    if (how === 'edit' || message.ephemeralTo !== undefined) return false;
    if (kind === 'user') return mentions.users.includes(target);
    if (kind === 'role')
      return mentions.roles.includes(target) && (mayAll || guild?.roles.get(target)?.mentionable === true);
    return (kind === 'everyone' || kind === 'here') && mentions.everyone && mayAll;
  };
  for (const { text, pointer } of textsOf(message.content, message.components)) {
    drawMarkdown(text, names, (one) =>
      world.log.mention({ ...one, pinged: pings(one), pointer, channel: message.channelId, message: message.id }),
    );
  }
}

/** Texts whose markdown is read: content and text displays. Labels and descriptions are plain. */
function textsOf(
  content: string,
  components: readonly Obj[],
): readonly { readonly text: string; readonly pointer: string }[] {
  const displays = flatten(components).filter((one) => one['type'] === 10);
  return [
    { text: content, pointer: '/content' },
    ...displays.map((one) => ({ text: asText(one['content']), pointer: `/components/#${String(one['id'])}` })),
  ];
}
