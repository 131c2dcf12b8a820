import { expect, it } from 'vitest';
import { embeddedOnSlack } from '../../support/embedded-slack.ts';
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
