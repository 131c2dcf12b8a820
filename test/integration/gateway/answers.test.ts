import { expect, it } from 'vitest';
import { embeddedOnSlack, wordsOf } from '../../support/embedded-slack.ts';
import { batchOf, question } from '../../support/requests.ts';

const DATABASE = batchOf(question('Which database?', ['Postgres', 'Redis']));

it('answers a question with one tap, and the card says who answered what', async () => {
  await using chat = await embeddedOnSlack();
  const outcome = chat.ask(DATABASE);
  const card = await chat.card('Which database?');
  chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
  expect(await outcome).toBe('answered');
  const settled = await chat.card('Which database?', (message) => message.controls.length === 0);
  expect(JSON.stringify(settled.blocks)).toMatch(/Answered/);
});

it('says "Answered" only once the agent has it: recorded first, and never answered when it got lost (promise: truthful-card)', async () => {
  await using chat = await embeddedOnSlack();
  const asked = chat.embedded.prompter.ask(DATABASE, { signal: new AbortController().signal });
  const card = await chat.card('Which database?');
  chat.slack.user(chat.ana).click({ channel: chat.channel, message: card.ts, label: /Redis/ });
  const { outcome, lost } = await asked;
  expect(outcome.kind).toBe('answered');
  const recorded = await chat.card('Which database?', (message) => message.controls.length === 0);
  expect(wordsOf(recorded)).toMatch(/waiting for the agent/i);
  expect(wordsOf(recorded)).not.toMatch(/answered/i);
  await lost('the bridge was killed');
  const ended = await chat.card('Which database?', (message) => !/waiting for the agent/i.test(wordsOf(message)));
  expect(wordsOf(ended)).toMatch(/not confirmed|could not be confirmed/i);
  expect(wordsOf(ended)).not.toMatch(/^Answered/im);
});
