import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as YAML from 'yaml';
import { cureOf } from '../../../../adapters/slack/cures.ts';
import type { SurfaceError } from '../../../../src/core/ports/surface-adapter.ts';
import { openCard } from '../../../support/recording-host.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { openStage } from './stage.ts';

const docs = readFileSync(new URL('../../../../docs/slack.md', import.meta.url), 'utf8');
const manifest = YAML.parse(/```yaml\n(?<text>.*?)```/s.exec(docs)?.groups?.['text'] ?? '') as {
  oauth_config: { scopes: { bot: string[] } };
  settings: Record<string, unknown>;
  features: Record<string, unknown>;
};
const scopes = manifest.oauth_config.scopes.bot;

/** Does everything the adapter can do, with these scopes; returns the calls that were refused for want of one. */
async function everythingWith(given: readonly string[]): Promise<string[]> {
  const stage = await openStage({ scopes: given, start: false });
  const { adapter, slack, place, host, channel, ana } = stage;
  const tolerate = () => undefined;
  const refused: string[] = [];
  await adapter.start(host).catch((error: SurfaceError) => refused.push(`start: ${error.platformCode}`));
  const secret = slack.workspace.addChannel({ name: 'secret', is_private: true }).id;
  if (slack.sockets.open.length > 0) {
    await adapter.checkPlace(place).catch(tolerate);
    await adapter.checkPlace({ platform: 'slack', channel: secret }).catch(tolerate);
    const card = openCard(batchOf(question('Which?', ['A', 'B'])));
    host.cards.set('request-1', card);
    const thread = await adapter.openThread(place, SESSION);
    const ref = await adapter.post(place, thread, card);
    await adapter.findThread(place, SESSION.sessionId).catch(tolerate);
    await adapter.findCard(place, thread, 'request-1').catch(tolerate);
    host.reply = 'Too late.';
    slack.faults.api('response_url', { kind: 'status', status: 404 });
    slack.user(ana).click({ channel, label: 'A' });
    await slack.next('ephemeral');
    slack.user(ana).click({ channel, label: 'Other…' });
    await slack.until(ana, channel, (screen) => screen.modals[0]);
    slack.user(ana).openHome();
    await slack.next('view', ({ user }) => user === ana);
    await host.inboxes[0]?.seen([channel]).catch(tolerate);
    await adapter.update(ref, card);
    await adapter.retire(ref, { kind: 'owner_lost' });
  }
  const calls = slack.calls.filter((call) => call.error === 'missing_scope').map((call) => call.method);
  return [...refused, ...calls];
}

describe('the manifest in docs/slack.md', () => {
  test('switches on what handraise needs', () => {
    expect(manifest.settings).toMatchObject({
      socket_mode_enabled: true,
      interactivity: { is_enabled: true },
      token_rotation_enabled: false,
    });
    expect(manifest.settings).toMatchObject({ event_subscriptions: { bot_events: ['app_home_opened'] } });
    expect(manifest.features).toMatchObject({ app_home: { home_tab_enabled: true } });
  });

  test('asks for the scopes of every method that is called', async () => {
    expect(await everythingWith(scopes)).toEqual([]);
  });

  test.each([
    ['chat:write', 'start: missing_scope'],
    ['users:read', 'start: missing_scope'],
    ['channels:history', 'conversations.replies'],
    ['groups:history', 'conversations.history'],
    ['channels:read', 'users.conversations'],
    ['groups:read', 'users.conversations'],
  ])('does not ask for %s in vain', async (scope, refused) => {
    expect(await everythingWith(scopes.filter((other) => other !== scope))).toContain(refused);
  });

  test('asks for nothing else but what later versions will use', () => {
    expect([...scopes].sort()).toEqual(
      [
        'channels:history',
        'channels:read',
        'chat:write',
        'files:write',
        'groups:history',
        'groups:read',
        'usergroups:read',
        'users:read',
      ].sort(),
    );
  });
});

test('the table of errors names codes that come with a cure', () => {
  const table = docs.slice(docs.indexOf('| Slack says |'));
  const rows = table.split('\n').filter((row) => row.startsWith('| `'));
  const codes = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code]) => code));
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(cureOf(code ?? '', 'bot'), code).toBeDefined();
});
