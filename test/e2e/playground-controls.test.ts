import { App, type BlockAction, LogLevel } from '@slack/bolt';
import type { KnownBlock, PlainTextElement, PlainTextOption } from '@slack/types';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AgentRun } from '../doubles/playground/agent-run.ts';
import { type PageServer, startPageServer } from '../doubles/playground/page-server.ts';
import { createScratch, type Scratch } from '../doubles/playground/scratch.ts';
import { openWorkspace, type PlaygroundWorkspace } from '../doubles/playground/workspace.ts';
import { openPage } from './support/chromium.ts';

// What handraise's own cards do not use yet, and what goes wrong, drawn from a plain Bolt app.

let workspace: PlaygroundWorkspace;
let scratch: Scratch;
let server: PageServer;
let app: App;
/** What the app received, oldest first. */
const received: string[] = [];

beforeEach(async () => {
  workspace = await openWorkspace();
  scratch = await createScratch(['webshop']);
  server = await startPageServer(workspace, new AgentRun(scratch.projects[0] ?? '', scratch.environment), 0);
  const { slack } = workspace;
  app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: slack.apiUrl },
  });
  received.length = 0;
  app.action<BlockAction>(/.*/, async ({ ack, action, body, client }) => {
    if (action.action_id === 'silent') return;
    await ack();
    const option = 'selected_option' in action ? action.selected_option : undefined;
    const options = 'selected_options' in action ? action.selected_options : undefined;
    received.push([action.action_id, option?.value, options?.map(({ value }) => value).join('+')].join(' ').trim());
    if (action.action_id !== 'danger') return;
    const place = { channel: body.channel?.id ?? '', ts: body.message?.['ts'] ?? '' };
    await client.chat.update({ ...place, text: 'It is gone.', blocks: [] });
  });
  await app.start();
  await app.client.chat.postMessage({ channel: workspace.channel.id, text: 'Controls', blocks: [...BLOCKS] });
});

afterEach(async () => {
  await app.stop();
  await server.close();
  await workspace.close();
  await scratch.remove();
});

const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text });
const options: PlainTextOption[] = ['red', 'blue'].map((value) => ({ text: plain(`The ${value} one`), value }));
const BLOCKS: readonly KnownBlock[] = [
  {
    type: 'section',
    text: { type: 'mrkdwn', text: '*bold* <https://example.invalid|a link>' },
    accessory: { type: 'overflow', action_id: 'overflow', options },
  },
  { type: 'section', text: plain('one line of many\n'.repeat(30)) },
  {
    type: 'actions',
    elements: [
      { type: 'static_select', action_id: 'select', placeholder: plain('Pick one'), options },
      { type: 'radio_buttons', action_id: 'radio', options },
      { type: 'checkboxes', action_id: 'boxes', options },
      { type: 'button', action_id: 'silent', text: plain('Nobody listens') },
      {
        type: 'button',
        action_id: 'danger',
        style: 'danger',
        text: plain('Delete'),
        confirm: { title: plain('Sure?'), text: plain('It is gone then.'), confirm: plain('Yes'), deny: plain('No') },
      },
    ],
  },
];

it('uses every kind of control as its person, and draws confirmations, edits and clicks that nobody took', async () => {
  await using browser = await openPage(server.url);
  const { page, problems } = browser;
  const message = page.getByRole('article');

  await page.locator('summary', { hasText: 'More actions' }).click();
  await page.getByRole('button', { name: 'The blue one' }).click();
  await expect.poll(() => received).toEqual(['overflow blue']);
  await page.getByRole('button', { name: 'See more' }).click();
  await page.getByRole('button', { name: 'See less' }).waitFor();
  await page.getByRole('combobox').selectOption('red');
  await page.getByRole('radio', { name: 'The blue one' }).check();
  await page.getByRole('checkbox', { name: 'The red one' }).check();
  await page.getByRole('checkbox', { name: 'The blue one' }).check();
  await expect.poll(() => received.slice(1)).toEqual(['select red', 'radio blue', 'boxes  red', 'boxes  red+blue']);

  await page.getByRole('button', { name: 'Nobody listens' }).click();
  await message.getByText('The app did not respond in time').waitFor({ timeout: 10_000 });

  const confirmation = page.getByRole('dialog', { name: 'Sure?' });
  await page.getByRole('button', { name: 'Delete' }).click();
  await confirmation.getByRole('button', { name: 'No' }).click();
  await confirmation.waitFor({ state: 'hidden' });
  expect(received).not.toContain('danger');
  await page.getByRole('button', { name: 'Delete' }).click();
  await confirmation.getByRole('button', { name: 'Yes' }).click();
  await message.getByText('It is gone. (edited)').waitFor();
  expect(await message.getByRole('button').count()).toBe(0);
  expect(problems).toEqual([]);
  expect(workspace.slack.violations).toEqual([]);
});
