import { randomInt } from 'node:crypto';
import { type ChannelRecord, type SlackDouble, startSlackDouble } from '../slack/index.ts';

/** Somebody the page can be used as. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: 'member' | 'guest';
}

export interface PlaygroundWorkspace {
  readonly slack: SlackDouble;
  readonly channel: ChannelRecord;
  /** The first one is who the page starts as, and who answers with `--auto`. */
  readonly people: readonly [Person, Person, Person];
}

/** A Slack on loopback with one channel, two members and a guest, whose clicks are refused. Whoever opens it closes `slack`. */
export async function openWorkspace(): Promise<PlaygroundWorkspace> {
  // The seed decides the tokens, and two playgrounds on one machine must not hold the same one.
  const slack = await startSlackDouble({ seed: randomInt(2 ** 32 - 1), workspace: { name: 'Playground' } });
  const join = (name: string, role: Person['role']): Person => {
    const user = { name, real_name: name, is_restricted: role === 'guest' };
    return { id: slack.workspace.addUser(user).id, name, role };
  };
  const people = [join('Ana', 'member'), join('Ben', 'member'), join('Gus', 'guest')] as const;
  return { slack, people, channel: slack.workspace.addChannel({ name: 'agents' }) };
}
