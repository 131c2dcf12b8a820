import { expect, test } from 'vitest';
import { drawScreen } from '../../../doubles/slack/index.ts';
import { batchOf, question } from '../../../support/requests.ts';
import { openStage } from './stage.ts';

test('smoke', async () => {
  const stage = await openStage();
  await stage.post(batchOf(question('Which database?', ['Postgres', 'SQLite'])));
  console.log(drawScreen(stage.slack.screen(stage.ana, stage.channel)));
  stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Postgres' });
  const r = await stage.response();
  console.log(r);
  await stage.post(
    batchOf(
      question('Which database?', ['Postgres', 'SQLite']),
      question('Which langs?', ['A', 'B'], { multiSelect: true }),
    ),
    'r2',
  );
  stage.slack.user(stage.ana).click({ channel: stage.channel, label: 'Answer…' });
  await stage.slack.until(stage.ana, stage.channel, (s) => s.modals.length > 0);
  console.log(drawScreen(stage.slack.screen(stage.ana, stage.channel)));
  expect(1).toBe(1);
});
