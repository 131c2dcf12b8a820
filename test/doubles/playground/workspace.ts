import { randomInt } from 'node:crypto';
import * as discordDouble from '../discord/index.ts';
import * as slackDouble from '../slack/index.ts';

/** Somebody the page can be used as, on both platforms. */
export interface Person {
  /** On Slack. */
  readonly id: string;
  readonly discordId: string;
  readonly name: string;
  readonly role: 'member' | 'guest';
}

export interface PlaygroundWorkspace {
  readonly slack: slackDouble.SlackDouble;
  readonly discord: discordDouble.DiscordDouble;
  readonly channel: slackDouble.ChannelRecord;
  readonly discordChannel: discordDouble.ChannelRecord;
  /** The first one is who the page starts as, and who answers with `--auto`. */
  readonly people: readonly [Person, Person, Person];
  close(): Promise<void>;
}

/** A Slack and a Discord on loopback with one channel each, two members and a guest, whose clicks are refused. */
export async function openWorkspace(): Promise<PlaygroundWorkspace> {
  // The seed decides the tokens, and two playgrounds on one machine must not hold the same one.
  const slack = await slackDouble.startSlackDouble({
    seed: randomInt(2 ** 32 - 1),
    workspace: { name: 'Playground' },
  });
  // Discord's own description of its bodies is not among what is needed to run.
  const discord = await discordDouble
    .startDiscordDouble({ spec: false, guild: { name: 'Playground' } })
    .catch(async (error: unknown) => {
      await slack.close();
      throw error;
    });
  const join = (name: string, role: Person['role']): Person => {
    const guest = role === 'guest';
    const { id } = slack.workspace.addUser({ name, real_name: name, is_restricted: guest });
    const member = discord.guild.addMember({ name: name.toLowerCase(), displayName: name, pending: guest });
    return { id, discordId: member.id, name, role };
  };
  const people = [join('Ana', 'member'), join('Ben', 'member'), join('Gus', 'guest')] as const;
  return {
    slack,
    discord,
    people,
    channel: slack.workspace.addChannel({ name: 'agents' }),
    discordChannel: discord.guild.addChannel({ name: 'agents' }),
    async close() {
      await Promise.all([slack.close(), discord.close()]);
    },
  };
}
