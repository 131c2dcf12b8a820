import type { Binding } from '../../config/schema.ts';
import type { Actor } from '../../core/actor.ts';
import type { SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import { bounded } from './bounded.ts';
import type { Examination } from './examination.ts';
import { fail, failed, ok, warn } from './finding.ts';

/** For the people of one binding. */
const PEOPLE_MS = 20_000;

/** Whether anybody can answer what each binding asks: rules against what Slack says of the accounts now. */
export async function examinePeople(examination: Examination, examiner: SurfaceExaminer): Promise<void> {
  const { config, clock, signal, report } = examination;
  for (const [index, binding] of config.bindings.entries()) {
    if (binding.slack === undefined || binding.questions.mode === 'deny' || signal.aborted) continue;
    try {
      const asked = { ms: PEOPLE_MS, what: `Looking up who may answer bindings[${index}]`, signal };
      await bounded(clock, asked, examine(binding, `bindings[${index}]`, examiner, report));
    } catch (thrown) {
      report(failed('people.answer', thrown, 'Run doctor again in a minute.'));
    }
  }
}

async function examine(
  { slack, questions: { operators } }: Binding,
  name: string,
  examiner: SurfaceExaminer,
  report: Examination['report'],
): Promise<void> {
  if (operators === '*') {
    const { members, atLeast } = await examiner.countMembers();
    if (members > 0) {
      const many = `${atLeast ? 'more than ' : ''}${members}`;
      report(ok('people.answer', `${name}: every full member who can see ${slack?.channel} may answer (of ${many}).`));
    } else {
      report(
        fail(
          'people.answer',
          `Nobody can answer ${name}: the workspace has no full member that Slack tells of.`,
          'Guests and bots do not count. Add a full member to the workspace.',
        ),
      );
    }
    return;
  }
  const listed = operators.slackUsers ?? [];
  const people = [];
  for (const id of listed) people.push({ id, ...(await examiner.standingOf(id)) });
  const able = people.filter(({ standing }) => standing === 'member');
  const unable = people.filter(({ standing }) => standing !== 'member');
  const here = (operators.localUsers ?? []).map((user) => `${user} of the gateway’s machine`);
  const others = unable.map(({ id, standing }) => `${id} ${REFUSED[standing]}`).join(', ');
  const names = [...able.map(({ name: who }) => who), ...here];
  if (names.length === 0) {
    report(
      fail(
        'people.answer',
        `Nobody can answer ${name}${others === '' ? '' : `: ${others}`}.`,
        'List full members of the workspace in questions.operators.slackUsers.',
      ),
    );
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

const REFUSED: Readonly<Record<Actor['standing'], string>> = {
  member: 'may answer',
  guest: 'is a guest',
  stranger: 'belongs to another workspace',
  bot: 'is a bot',
  deactivated: 'is deactivated',
  unverified: 'is not known to Slack',
};
