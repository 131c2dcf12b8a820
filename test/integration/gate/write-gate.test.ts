import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { arrived, bash, DENY, grant, proposalIn, stagesPerTest, writing } from '../../support/write-gate.ts';

const aStage = stagesPerTest();

describe('the write gate', () => {
  it('proposes a write with what would change, and lets it run when a person allows it', async () => {
    const stage = await aStage();
    stage.write('src/a.ts', 'one\ntwo\nthree\n');
    const edit = { file_path: stage.path('src/a.ts'), old_string: 'two', new_string: 'zwei' };
    const checking = stage.check({ tool: 'Edit', input: edit, toolUseId: 'tool-1' });
    const [card] = await stage.cards(1);
    expect(card?.pendingId).toBe('tool-1');
    expect(proposalIn(card)).toMatchObject({
      tool: 'Edit',
      effect: 'write',
      targets: [{ path: stage.path('src/a.ts'), inside: true, later: false }],
      full: { kind: 'diff', path: stage.path('src/a.ts'), text: '@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three' },
      offers: [{ scope: 'turn' }, { scope: 'action' }, { scope: 'session' }],
    });
    await stage.decide(card?.requestId ?? '', grant('action'));
    const decision = await checking;
    expect(decision).toMatchObject({ behavior: 'allow', input: edit });
    expect((await stage.store.read(card?.requestId ?? ''))?.status).toBe('claimed');
    await decision.delivered();
    expect(await stage.store.read(card?.requestId ?? '')).toMatchObject({
      outcome: { kind: 'granted', scope: 'action' },
    });
  });

  it('runs exactly what was judged, whatever the host does to its input meanwhile', async () => {
    const stage = await aStage();
    const input = { command: 'touch a', description: 'Touch' };
    const checking = stage.check({ tool: 'Bash', input });
    const [card] = await stage.cards(1);
    input.command = 'rm -rf /';
    await stage.decide(card?.requestId ?? '', grant('action'));
    expect(await arrived(checking)).toMatchObject({
      behavior: 'allow',
      input: { command: 'touch a', description: 'Touch' },
    });
  });

  it('asks again for the same step after an action was used, and gives identical ones a card each', async () => {
    const stage = await aStage();
    const step = writing(stage.path('a.txt'));
    const both = [stage.check(step), stage.check(step)];
    const cards = await stage.cards(2);
    for (const { requestId } of cards) await stage.decide(requestId, grant('action'));
    expect((await Promise.all(both.map(arrived))).map(({ behavior }) => behavior)).toEqual(['allow', 'allow']);
    const third = stage.check(step);
    const [card] = await stage.cards(1);
    await stage.decide(card?.requestId ?? '', DENY);
    expect((await arrived(third)).behavior).toBe('deny');
  });

  it('shows where a write through a link really goes, and offers it as outside', async () => {
    const stage = await aStage();
    symlinkSync('/tmp', stage.path('tmp'));
    const checking = stage.check(writing('tmp/hr-linked.txt'));
    const [card] = await stage.cards(1);
    expect(proposalIn(card)).toMatchObject({ targets: [{ path: '/tmp/hr-linked.txt', inside: false }] });
    expect(proposalIn(card).offers.map(({ scope }) => scope)).toEqual(['action']);
    await stage.decide(card?.requestId ?? '', DENY);
    await arrived(checking);
  });

  it('takes only an action where it is not known where a command runs', async () => {
    const stage = await aStage();
    await stage.decided(writing(stage.path('a.txt')), grant('session'));
    const checking = stage.check(bash('ls'), { cwd: null });
    const [card] = await stage.cards(1);
    expect(proposalIn(card)).toMatchObject({ effect: 'unknown', cwd: null, offers: [{ scope: 'action' }] });
    await stage.decide(card?.requestId ?? '', grant('action'));
    expect((await arrived(checking)).behavior).toBe('allow');
  });

  it('counts what waits, and puts no more of a session to people than they will read', async () => {
    const stage = await aStage({ settings: { mostPending: 3 } });
    const waiting = [1, 2, 3].map((number) => stage.check(bash(`git push origin ${number}`)));
    const open = await stage.cards(3);
    expect(await arrived(stage.check(bash('git push origin 4')))).toMatchObject({ kind: 'too_many' });
    for (const { requestId } of open) await stage.decide(requestId, DENY);
    await Promise.all(waiting.map(arrived));
  });

  it('runs what the team trusts by policy, and nothing beside it', async () => {
    const stage = await aStage({ settings: { trustedCommands: ['npm test', 'make lint'] } });
    for (const command of ['npm test', 'npm test -- -t a', 'make lint && npm test']) {
      expect((await arrived(stage.check(bash(command)))).behavior).toBe('allow');
    }
    const more = [
      'npm test && rm a',
      'npm test > a',
      'CI=1 npm test',
      'npm test & make lint',
      'npm test $X',
      'npm tests',
    ];
    for (const command of more) {
      const checking = stage.check(bash(command));
      const [card] = await stage.cards(1);
      await stage.decide(card?.requestId ?? '', DENY);
      expect((await arrived(checking)).behavior).toBe('deny');
    }
    expect(stage.events.slice(0, 3).map(({ by }) => by)).toEqual(['policy', 'policy', 'policy']);
  });

  it.each([
    ['ask', 'proposed'],
    ['deny', 'secret'],
    ['allow', 'run'],
  ] as const)('treats reading a secret as %s says: %s', async (secretReads, what) => {
    const stage = await aStage({ settings: { secretReads } });
    const checking = stage.check(bash('cat .env'));
    if (what === 'proposed') {
      const [card] = await stage.cards(1);
      expect(proposalIn(card).offers.map(({ scope }) => scope)).toEqual(['action']);
      await stage.decide(card?.requestId ?? '', grant('action'));
      expect((await arrived(checking)).behavior).toBe('allow');
    } else {
      expect(await arrived(checking)).toMatchObject(what === 'run' ? { behavior: 'allow' } : { kind: 'secret' });
      expect(stage.events).toHaveLength(what === 'run' ? 0 : 1);
    }
  });

  it('puts fetches to people where the configuration says so', async () => {
    const stage = await aStage({ settings: { fetch: 'ask' } });
    const checking = stage.check({ tool: 'WebFetch', input: { url: 'https://example.com', prompt: 'Read' } });
    const [card] = await stage.cards(1);
    expect(proposalIn(card)).toMatchObject({ effect: 'read', offers: [{ scope: 'action' }] });
    await stage.decide(card?.requestId ?? '', grant('action'));
    expect((await arrived(checking)).behavior).toBe('allow');
  });

  it('denies at once, without a card, what touches handraise itself', async () => {
    for (const writes of ['read_only', 'open'] as const) {
      const stage = await aStage({ settings: { writes } });
      expect(await arrived(stage.check(bash('handraise resolve r1 --option turn')))).toMatchObject({
        kind: 'names_handraise',
      });
      expect(stage.events).toMatchObject([{ by: 'policy', granted: false }]);
    }
  });
});
