/**
 * The demonstration agent: works through a small task in the current directory, and asks when it does not know. What it
 * "thinks" is a script, since there is no model behind it; what it asks, and the answers, are real.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import { connectOperator, type OperatorTool } from './operator.ts';
import { HOW, WHERE } from './questions.ts';

/** Between two lines, so that a person can follow. */
const PACE_MS = 150;

await work(process.env['HANDRAISE_MCP_CONFIG']);

async function work(configuration: string | undefined): Promise<void> {
  if (configuration === undefined) {
    await say('Nobody can be asked: start me with "handraise run -- node <this file>".');
    process.exitCode = 1;
    return;
  }
  await say('Task: add a rate limit to the web shop.');
  await say('Reading package.json …');
  const { name, version, dependencies } = JSON.parse(await readFile('package.json', 'utf8'));
  await say(`  ${name} ${version}, uses ${Object.keys(dependencies).join(', ')}`);
  await say('Reading routes.json …');
  await say(`  ${JSON.parse(await readFile('routes.json', 'utf8')).length} routes, none of them limited`);

  const operator = await connectOperator(configuration);
  try {
    const where = await decide(operator, WHERE);
    await say(where === undefined ? 'I take the usual way and say so.' : `I will keep the counters here: ${where[0]}`);
    await say('Writing rate-limit.ts …');
    const how = await decide(operator, HOW);
    await say(how === undefined ? 'I limit what is usually limited.' : `I will do it like this: ${how.join(' · ')}`);
    await say('Wiring it into the routes …');
    await say('Done. The rate limit is in place.');
  } finally {
    await operator.close();
  }
}

/** Asks and prints what came back; undefined when the agent has to decide on its own. */
async function decide(operator: OperatorTool, batch: QuestionBatch): Promise<string[] | undefined> {
  const questions = batch.questions.map(({ question }) => question);
  await say('');
  await say('I need a decision:');
  for (const question of questions) await say(`  ${question}`);
  await say('Waiting for somebody in #agents …');
  const asked = Date.now();
  const { text, isError } = await operator.ask(batch, () => {
    console.log(`  … for ${Math.round((Date.now() - asked) / 1_000)} s`);
  });
  await say(isError ? 'No answer:' : 'The answer:');
  for (const line of text.split('\n')) await say(`  ${line}`);
  await say('');
  const answers = isError ? undefined : answersIn(text);
  return answers && questions.map((question) => [answers[question] ?? 'my choice'].flat().join(', '));
}

/** The reply is written for a model; the answers are the line of it that is JSON. */
function answersIn(text: string): Readonly<Record<string, string | string[]>> | undefined {
  const json = text.split('\n').find((line) => line.startsWith('{'));
  return json === undefined ? undefined : JSON.parse(json).answers;
}

async function say(line: string): Promise<void> {
  console.log(line);
  await pause(PACE_MS);
}
