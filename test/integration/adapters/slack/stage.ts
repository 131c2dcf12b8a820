import { afterEach, expect } from 'vitest';
import { createSlackAdapter } from '../../../../adapters/slack/index.ts';
import type { Clock } from '../../../../src/core/clock.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type { Place, SurfaceAdapter, SurfaceResponse } from '../../../../src/core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import type { CardRef } from '../../../../src/core/request.ts';
import { type SlackDouble, type SlackDoubleOptions, startSlackDouble } from '../../../doubles/slack/index.ts';
import { openCard, type RecordingHost, recordingHost } from '../../../support/recording-host.ts';
import { type LogLine, recordingLog } from '../../../support/recording-log.ts';
import { SESSION } from '../../../support/requests.ts';

export interface Stage {
  readonly slack: SlackDouble;
  readonly adapter: SurfaceAdapter;
  readonly host: RecordingHost;
  readonly log: { readonly lines: readonly LogLine[] };
  readonly ana: string;
  readonly ben: string;
  readonly channel: string;
  readonly place: Place;
  /** Posts an open card and lets the host know of it. */
  post(batch: QuestionBatch, requestId?: string): Promise<CardRef>;
  /** The n-th response from now, or the one that is there already. */
  response(count?: number): Promise<SurfaceResponse>;
}

const opened: { slack: SlackDouble; adapter: SurfaceAdapter }[] = [];

/** Whatever a test does, the platform's rules were kept. */
afterEach(async () => {
  for (const { slack, adapter } of opened.splice(0)) {
    await adapter.stop(500);
    await slack.close();
    expect(slack.violations).toEqual([]);
  }
});

export interface StageOptions extends SlackDoubleOptions {
  readonly adapterClock?: Clock;
  readonly secondConnectionAfterMs?: number;
  /** false: the test starts the adapter itself. */
  readonly start?: boolean;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const slack = await startSlackDouble(options);
  const ana = slack.workspace.addUser({ name: 'ana', real_name: 'Ana' }).id;
  const ben = slack.workspace.addUser({ name: 'ben', real_name: 'Ben' }).id;
  const channel = slack.workspace.addChannel({ name: 'agents' }).id;
  const clock = options.adapterClock ?? systemClock;
  const log = recordingLog();
  const adapter = createSlackAdapter(
    {
      botToken: slack.botToken,
      appToken: slack.appToken,
      apiUrl: slack.apiUrl,
      secondConnectionAfterMs: options.secondConnectionAfterMs ?? 60_000,
    },
    { clock, log },
  );
  opened.push({ slack, adapter });
  const host = recordingHost();
  if (options.start !== false) await adapter.start(host);
  const place: Place = { platform: 'slack', channel };
  return {
    slack,
    adapter,
    host,
    log,
    ana,
    ben,
    channel,
    place,
    async post(batch, requestId = 'request-1') {
      const card = openCard(batch, requestId);
      host.cards.set(requestId, card);
      const thread = await adapter.openThread(place, SESSION);
      return adapter.post(place, thread, card);
    },
    response: (count = 1) => host.response(count),
  };
}
