import { describe, expect, test } from 'vitest';
import type { InboxEntry } from '../../../../src/core/ports/surface-adapter.ts';
import { questionView } from '../../../../src/prompt/card-view.ts';
import type { Screen } from '../../../doubles/slack/types.ts';
import { batchOf, question, SESSION } from '../../../support/requests.ts';
import { openStage, type Stage } from './stage.ts';

const DEADLINE = Date.UTC(2026, 7, 3, 10, 5);

function entry(stage: Stage, asked = 'Which database?', more: Partial<InboxEntry['card']> = {}): InboxEntry {
  const view = questionView('request-1', SESSION, batchOf(question(asked, ['Postgres', 'SQLite'])));
  const { channel, adapter } = stage;
  const card = { channel, message: '1700000000.000200', thread: '1700000000.000100', ...more };
  return { view, deadline: DEADLINE, card: { platform: 'slack', workspaceId: adapter.workspaceId, ...card } };
}

const home = (stage: Stage, text: string, user = stage.ana): Promise<NonNullable<Screen['home']>> =>
  stage.slack.until(user, stage.channel, (screen) => (wordsOf(screen.home).includes(text) ? screen.home : undefined));
const wordsOf = (drawn: Screen['home']): string => JSON.stringify(drawn?.blocks ?? []);

describe('the Home tab', () => {
  test('lists what is open, with a link to each card and its deadline', async () => {
    const stage = await openStage();
    stage.host.open = { entries: [entry(stage)], more: 3 };
    expect(await stage.slack.user(stage.ana).openHome().settled).toMatchObject({ kind: 'acked' });
    const drawn = await home(stage, 'Which database?');
    expect(wordsOf(drawn)).toContain('4 questions wait for you.');
    expect(wordsOf(drawn)).toContain('claude-code · api (main) · started by ana@laptop');
    expect(wordsOf(drawn)).toContain('3 more are open');
    expect(wordsOf(drawn)).toContain('Answer by ');
    const link = drawn.controls.find(({ text }) => text === 'Open the card');
    const { domain } = stage.slack.workspace;
    expect(link?.url).toBe(
      `https://${domain}.slack.com/archives/${stage.channel}/p1700000000000200?thread_ts=1700000000.000100&cid=${stage.channel}`,
    );
  });

  test('is what the opener is shown, who is known to the gateway by Slack’s word', async () => {
    const stage = await openStage();
    const guest = stage.slack.workspace.addUser({ name: 'gus', is_restricted: true }).id;
    stage.host.open = { refused: 'Guests may not answer.' };
    stage.slack.user(guest).openHome();
    await stage.slack.next('view', ({ user }) => user === guest);
    expect(stage.host.inboxes[0]?.actor).toMatchObject({ userId: guest, standing: 'guest', platform: 'slack' });
    expect(stage.slack.calls.filter(({ method }) => method === 'users.conversations')).toEqual([]);
  });

  test('is drawn anew by Refresh, and by nothing else', async () => {
    const stage = await openStage();
    stage.slack.user(stage.ana).openHome();
    await home(stage, 'Nothing waits for you.');
    stage.host.open = { entries: [entry(stage)], more: 0 };
    await stage.slack.user(stage.ana).click({ where: 'home', label: 'Refresh' }).settled;
    await home(stage, '1 question waits for you.');
    expect(stage.host.inboxes).toHaveLength(2);
    await stage.slack.user(stage.ana).click({ where: 'home', label: 'Open the card' }).settled;
    await stage.adapter.stop(1_000);
    expect(stage.host.inboxes).toHaveLength(2);
    expect(stage.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('is not shown twice for an event that Slack repeats', async () => {
    const stage = await openStage();
    const opened = stage.slack.user(stage.ana).openHome();
    stage.slack.deliver.again(opened);
    await home(stage, 'Nothing waits for you.');
    await stage.adapter.stop(1_000);
    expect(stage.host.inboxes).toHaveLength(1);
  });

  test('has no markup, mention or hidden character of the agent’s', async () => {
    const stage = await openStage();
    const nasty = '<!channel> *bold* <https://evil.example|here> a\u202Eb';
    const poisoned = entry(stage, nasty);
    const session = { ...SESSION, branch: '<!here>', program: '`x` <@U1>', startedBy: '*root*' };
    stage.host.open = { entries: [{ ...poisoned, view: { ...poisoned.view, session } }], more: 0 };
    stage.slack.user(stage.ana).openHome();
    const drawn = await home(stage, '<!channel> *bold* <https://evil.example|here> a⟨U+202E⟩b');
    expect(wordsOf(drawn)).toContain('`x` <@U1> · api (<!here>) · started by *root*');
    expect(stage.slack.mentions).toEqual([]);
  });

  test('that Slack refuses is logged, and changes nothing else', async () => {
    const stage = await openStage();
    stage.slack.faults.api('views.publish', { kind: 'error', error: 'internal_error' });
    stage.slack.user(stage.ana).openHome();
    await stage.slack.next('call', ({ method }) => method === 'views.publish');
    stage.slack.user(stage.ana).openHome();
    await home(stage, 'Nothing waits for you.');
    expect(JSON.stringify(stage.log.lines)).toContain('a Home tab could not be shown');
  });
});

describe('which channels somebody sees', () => {
  test('is which of them they are in, also behind the first thousand', async () => {
    const stage = await openStage();
    const { workspace } = stage.slack;
    const channels = Array.from({ length: 1_005 }, () => workspace.addChannel({ members: [stage.ana] }).id);
    const last = String(channels.at(-1));
    const secret = workspace.addChannel({ is_private: true, members: [stage.ben] }).id;
    const shared = workspace.addChannel({ is_private: true, members: [stage.ana] }).id;
    stage.slack.user(stage.ana).openHome();
    await home(stage, 'Nothing waits for you.');
    const [inbox] = stage.host.inboxes;
    const seen = await inbox?.seen([stage.channel, last, secret, shared]);
    expect(seen).toEqual(new Set([stage.channel, last, shared]));
    workspace.leave(shared, stage.ana);
    expect(await inbox?.seen([shared])).toEqual(new Set());
  });

  test('cannot be told without its scopes, and that is for good', async () => {
    const stage = await openStage({ scopes: ['chat:write', 'users:read', 'channels:history'] });
    stage.slack.user(stage.ana).openHome();
    await home(stage, 'Nothing waits for you.');
    await expect(stage.host.inboxes[0]?.seen([stage.channel])).rejects.toMatchObject({
      permanent: true,
      hint: expect.stringContaining('channels:read'),
    });
  });
});
