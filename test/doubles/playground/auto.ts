import { sentenceOf } from '../../../src/core/errors.ts';
import * as discordDouble from '../discord/index.ts';
import * as slackDouble from '../slack/index.ts';
import { allSettled } from './all-settled.ts';
import { answerEverything, CHOICES } from './automatic-operator.ts';
import { discordPane } from './discord-pane.ts';
import type { PlaygroundOptions } from './serve.ts';
import { openStage, type Stage } from './stage.ts';

/** From start to the last card; it takes about ten seconds on a slow machine. */
const WITHIN_MS = 60_000;

/** After the agents' end: over Redis it is the gateway that draws it. */
const SETTLED_WITHIN_MS = 20_000;

/**
 * The same run without a person: somebody who answers by themselves, and a look at what came of it. Resolves to nothing
 * when all is well, else to the reason.
 */
export async function runAutomatically({
  write,
  signal,
  redis,
}: Omit<PlaygroundOptions, 'port'>): Promise<string | undefined> {
  const stage = await openStage({ redis });
  const { workspace, agents, projects } = stage;
  try {
    agents.onChange((line) => {
      if (line !== undefined) write(`agent │ ${line.text}`);
    });
    agents.start();
    // Each by somebody else, since one person has one form open at a time.
    const answered = Promise.all(
      projects.map((project, at) => {
        const who = workspace.people[at === 0 ? 0 : 1];
        return answerEverything({ workspace, who, project }, WITHIN_MS, (platform, line) =>
          write(`${platform} │ ${line}`),
        );
      }),
    );
    // Whichever comes first is the reason; the other one is then of no interest, and must not go unhandled.
    answered.catch(() => undefined);
    const code = await withinTime(Promise.all([firstOf(answered, agents.ended), agents.ended]), signal);
    if (code[1] !== 0) return `the agent ended with exit code ${code[1]}`;
    const isSettled = await allSettled(workspace, SETTLED_WITHIN_MS);
    showCards(stage, write);
    if (!isSettled) return `the cards were not settled within ${SETTLED_WITHIN_MS / 1_000} s`;
    return complaintAbout(stage);
  } catch (error) {
    return sentenceOf(error);
  } finally {
    await stage.close();
  }
}

/** An agent that ends before it was answered ends the waiting, too. */
async function firstOf(answered: Promise<unknown>, ended: Promise<number>): Promise<void> {
  const early = ended.then((code) => {
    throw new Error(`the agent ended with exit code ${code} before everything was answered`);
  });
  early.catch(() => undefined);
  await Promise.race([answered, early]);
}

async function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error(signal.aborted ? 'it was stopped' : `not done within ${WITHIN_MS / 1000} s`));
    if (limit.aborted) stop();
    else limit.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, stopped]);
}

function showCards({ workspace }: Stage, write: (line: string) => void): void {
  const { slack, channel, people } = workspace;
  const screen = slack.screen(people[0].id, channel.id);
  // Cards are in their thread and in the channel; once is enough to read.
  const once = { ...screen, messages: screen.messages.filter(({ threadTs }) => threadTs === undefined) };
  write('');
  for (const line of slackDouble.drawScreen(once).split('\n')) write(`slack │ ${line}`);
  const { threads } = discordPane(workspace, people[0]);
  write('');
  for (const line of threads.flatMap((thread) => discordDouble.drawScreen(thread).split('\n'))) {
    write(`discord │ ${line}`);
  }
}

/** What is wrong with how it ended. */
function complaintAbout({ workspace, agents, projects }: Stage): string | undefined {
  const { slack, discord } = workspace;
  for (const project of projects) {
    const own = agents.screen.lines.filter(({ text }) => projects.length === 1 || text.startsWith(project));
    const printed = own.map(({ text }) => text).join('\n');
    const missing = Object.values(CHOICES)
      .flat()
      .filter((choice) => !printed.includes(choice));
    if (missing.length > 0) return `the agent in ${project} did not receive: ${missing.join(', ')}`;
  }
  const [violation] = [...slack.violations, ...discord.violations];
  return violation && `a platform's rules were broken: ${violation.method} ${violation.pointer} ${violation.message}`;
}
