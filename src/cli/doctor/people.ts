import type { Binding } from '../../config/schema.ts';
import type { Actor, Platform } from '../../core/actor.ts';
import { pause } from '../../core/pause.ts';
import { type Place, SurfaceError } from '../../core/ports/surface-adapter.ts';
import type { MemberCount, SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import { bounded } from './bounded.ts';
import type { Examination } from './examination.ts';
import { fail, failed, ok, warn } from './finding.ts';

type Operators = Binding['questions']['operators'];

/** Of one look-up. */
const MOST_TRIES = 5;

/** For the people of one binding. */
const PEOPLE_MS = 20_000;

/** Whether anybody can answer what each binding asks: rules against what the platform says of the accounts now. */
export async function examinePeople(examination: Examination, examiner: SurfaceExaminer): Promise<void> {
  const { config, clock, signal, report } = examination;
  const { platform } = examiner;
  for (const [index, binding] of config.bindings.entries()) {
    const channel = binding[platform]?.channel;
    if (channel === undefined || binding.questions.mode === 'deny' || signal.aborted) continue;
    try {
      const asked = { ms: PEOPLE_MS, what: `Looking up who may answer bindings[${index}]`, signal };
      const place = { platform, channel };
      const name = `bindings[${index}]`;
      await bounded(clock, asked, examine(binding, { name, place, examiner, clock, signal, report }));
    } catch (thrown) {
      report(failed('people.answer', thrown, 'Run doctor again in a minute.'));
    }
  }
}

interface Asked extends Pick<Examination, 'clock' | 'signal' | 'report'> {
  /** Of the binding, for people. */
  readonly name: string;
  readonly place: Place;
  readonly examiner: SurfaceExaminer;
}

async function examine({ questions: { operators } }: Binding, asked: Asked): Promise<void> {
  const { name, place, report } = asked;
  const words = WORDS[place.platform];
  if (operators === '*') return examineEverybody(asked);
  const { able, unable } = await listed(operators, asked);
  const here = (operators.localUsers ?? []).map((user) => `${user} of the gateway’s machine`);
  const others = unable.join(', ');
  const names = [...able, ...here];
  if (names.length === 0) {
    // Those of the other platform may be meant to answer.
    const elsewhere = place.platform === 'slack' ? operators.discordUsers : operators.slackUsers;
    const isFine = unable.length === 0 && ((elsewhere ?? []).length > 0 || (operators.discordRoles ?? []).length > 0);
    const what = `Nobody on ${words.name} can answer ${name}${others === '' ? '' : `: ${others}`}.`;
    report((isFine ? warn : fail)('people.answer', what, words.cure));
    return;
  }
  report(ok('people.answer', `${name}: ${names.join(', ')} may answer.`));
  if (unable.length > 0) {
    report(
      warn(
        'people.listed',
        `${name} lists people who cannot answer: ${others}.`,
        'Remove them from questions.operators.',
      ),
    );
  }
}

async function examineEverybody({ name, place, examiner, report }: Asked): Promise<void> {
  const words = WORDS[place.platform];
  const { members, how } = await examiner.countMembers(place);
  if (members > 0) {
    const many = `${COUNTED[how]}${members}`;
    report(ok('people.answer', `${name}: every ${words.member} who can see ${place.channel} may answer (of ${many}).`));
    return;
  }
  report(fail('people.answer', `Nobody can answer ${name}: ${words.nobody}.`, words.nobodyCure));
}

/** Those of the rule whom this platform knows, by name, and those who cannot answer, with the reason. */
async function listed(
  { slackUsers = [], slackGroups = [], discordUsers = [], discordRoles = [] }: Exclude<Operators, '*'>,
  { place, examiner, clock, signal }: Asked,
): Promise<{ readonly able: string[]; readonly unable: string[] }> {
  const able: string[] = [];
  const unable: string[] = [];
  for (const id of place.platform === 'slack' ? slackUsers : discordUsers) {
    const { name, standing } = await patiently({ clock, signal }, () => examiner.standingOf(id, place));
    if (standing === 'member') able.push(name);
    else unable.push(`${id} ${refusedOn(place.platform, standing)}`);
  }
  // Who is in one is looked up at the click.
  if (place.platform === 'slack') able.push(...slackGroups.map((id) => `whoever is in the user group ${id}`));
  for (const id of place.platform === 'discord' ? discordRoles : []) {
    const name = await examiner.roleNamed(id, place);
    if (name === undefined) unable.push(`${id} is no role of the server`);
    else able.push(`whoever has the role ${name}`);
  }
  return { able, unable };
}

/** However many people are listed: a platform that asks to wait is asked again then. The caller bounds it all. */
async function patiently<T>({ clock, signal }: Pick<Asked, 'clock' | 'signal'>, ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = error instanceof SurfaceError ? error.retryAfterMs : undefined;
      if (waitMs === undefined || waitMs > PEOPLE_MS || tries === MOST_TRIES) throw error;
      await pause(clock, waitMs, signal);
      signal.throwIfAborted();
    }
  }
}

const COUNTED: Readonly<Record<MemberCount['how'], string>> = {
  exactly: '',
  'at-least': 'more than ',
  about: 'about ',
};

const WORDS = {
  slack: {
    name: 'Slack',
    member: 'full member',
    nobody: 'the workspace has no full member that Slack tells of',
    nobodyCure: 'Guests and bots do not count. Add a full member to the workspace.',
    cure: 'List full members of the workspace in questions.operators.slackUsers.',
  },
  discord: {
    name: 'Discord',
    member: 'member',
    nobody: 'the server has no other member than the bot',
    nobodyCure: 'Invite somebody to the server. Bots do not count.',
    cure: 'List members of the server in questions.operators.discordUsers, or roles in discordRoles.',
  },
} as const;

function refusedOn(platform: Platform, standing: Actor['standing']): string {
  if (standing === 'stranger') return platform === 'slack' ? 'belongs to another workspace' : 'is not in the server';
  if (standing === 'guest' && platform === 'discord') return 'has not passed the server’s screening, or is a guest';
  if (standing === 'unverified') return `is not known to ${WORDS[platform].name}`;
  return REFUSED[standing];
}

const REFUSED: Readonly<Record<Exclude<Actor['standing'], 'stranger' | 'unverified'>, string>> = {
  member: 'may answer',
  guest: 'is a guest',
  bot: 'is a bot',
  deactivated: 'is deactivated',
};
