import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { newRandomId } from '../../../src/core/ids.ts';
import { startEmbedded } from '../../../src/gateway/embedded.ts';
import { nameOfToken } from '../../../src/gateway/token-lock.ts';
import { startSlackDouble } from '../../doubles/slack/index.ts';
import { configFor } from '../../support/embedded-slack.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { SESSION } from '../../support/requests.ts';

it('lets a run end in time while Slack keeps it waiting for the cards of a killed one, which stay for the next', async () => {
  const slack = await startSlackDouble();
  const stateDirectory = mkdtempSync(join(tmpdir(), 'hr-state-'));
  try {
    const ana = slack.workspace.addUser({ name: 'Ana' }).id;
    const channel = slack.workspace.addChannel({ name: 'agents', members: [ana] }).id;
    slack.workspace.join(channel, slack.workspace.botUserId);
    const journals = join(stateDirectory, 'journal', nameOfToken(slack.botToken));
    mkdirSync(journals, { recursive: true, mode: 0o700 });
    const place = { platform: 'slack', channel };
    const posts = [1, 2, 3, 4].map((n) => ({ kind: 'posting', requestId: `r${n}`, sessionId: 's', place }));
    const lines = [{ v: 1, pid: 2 ** 22 + 1 }, ...posts].map((line) => JSON.stringify(line));
    writeFileSync(join(journals, 'killed.cards.jsonl'), `${lines.join('\n')}\n`);
    const lookUps = slack.faults.api('conversations.history', { kind: 'hang', times: 100, skip: 1 });
    const config = configFor(slack, channel);
    const [binding] = config.bindings;
    if (binding === undefined) throw new Error('no binding');
    const log = recordingLog();
    const embedded = await startEmbedded({
      config,
      binding,
      session: SESSION,
      stateDirectory,
      clock: systemClock,
      newId: newRandomId,
      log,
    });
    await expect.poll(() => lookUps.hits).toBe(1);
    const begun = Date.now();
    await embedded.stop(1_000);
    expect(Date.now() - begun).toBeLessThan(2_000);
    expect(readdirSync(journals)).toEqual(['killed.cards.jsonl']);
  } finally {
    await slack.close();
    rmSync(stateDirectory, { recursive: true, force: true });
  }
});
