import { afterEach, expect } from 'vitest';
import { createDiscordAdapter } from '../../../../adapters/discord/index.ts';
import type { Clock } from '../../../../src/core/clock.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import type { Place, SurfaceAdapter, SurfaceResponse } from '../../../../src/core/ports/surface-adapter.ts';
import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';
import type { CardRef } from '../../../../src/core/request.ts';
import { type DiscordDouble, type DiscordDoubleOptions, startDiscordDouble } from '../../../doubles/discord/index.ts';
import { openCard, type RecordingHost, recordingHost } from '../../../support/recording-host.ts';
import { type LogLine, recordingLog } from '../../../support/recording-log.ts';
import { SESSION } from '../../../support/requests.ts';

export interface Stage {
  readonly discord: DiscordDouble;
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

const opened: { discord: DiscordDouble; adapter: SurfaceAdapter }[] = [];

/** Whatever a test does, the platform's rules were kept. */
afterEach(async () => {
  for (const { discord, adapter } of opened.splice(0)) {
    await adapter.stop(500);
    await discord.close();
    expect(discord.violations).toEqual([]);
  }
});

export interface StageOptions extends DiscordDoubleOptions {
  readonly adapterClock?: Clock;
  readonly connectsLeftToOthers?: number;
  readonly onAcknowledged?: (afterMs: number) => void;
  /** false: the test starts the adapter itself. */
  readonly start?: boolean;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { adapterClock = systemClock, connectsLeftToOthers = 0, onAcknowledged, start = true, ...double } = options;
  const discord = await startDiscordDouble(double);
  const ana = discord.guild.addMember({ name: 'ana', displayName: 'Ana' }).id;
  const ben = discord.guild.addMember({ name: 'ben', displayName: 'Ben' }).id;
  const channel = discord.guild.addChannel({ name: 'agents' }).id;
  const log = recordingLog();
  const adapter = createDiscordAdapter(
    { botToken: discord.botToken, apiUrl: discord.apiUrl, connectsLeftToOthers },
    { clock: adapterClock, log, identifyEveryMs: 0, ...(onAcknowledged && { onAcknowledged }) },
  );
  opened.push({ discord, adapter });
  const host = recordingHost();
  if (start) await adapter.start(host);
  const place: Place = { platform: 'discord', channel };
  return {
    discord,
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
