import { expect, it } from 'vitest';
import type { SurfaceAdapter, SurfaceHost } from '../../../src/core/ports/surface-adapter.ts';
import { startingOf } from '../../../src/gateway/starting.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { recordingHost } from '../../support/recording-host.ts';
import { recordingLog } from '../../support/recording-log.ts';

/** A platform of which only starting and stopping matter. */
function platform(failures: number) {
  const seen: string[] = [];
  let left = failures;
  const adapter = {
    platform: 'discord',
    async start(_: SurfaceHost) {
      left -= 1;
      seen.push(left >= 0 ? 'failed' : 'started');
      if (left >= 0) throw new Error('down');
    },
    async stop() {
      seen.push('stopped');
    },
  } as unknown as SurfaceAdapter;
  return { adapter, seen };
}

const setUp = (patient: boolean, ...platforms: ReturnType<typeof platform>[]) => {
  const clock = createFakeClock();
  const adapters = platforms.map(({ adapter }) => adapter);
  return { clock, surfaces: startingOf(adapters, { patient, clock, log: recordingLog() }) };
};

it('a gateway that stays serves the platform that works, and tries the other again', async () => {
  const [slack, discord] = [platform(0), platform(2)];
  const { clock, surfaces } = setUp(true, slack, discord);
  await surfaces.start(recordingHost());
  await clock.walk(25_000);
  expect(discord.seen).toEqual(['failed', 'failed', 'started']);
  await surfaces.stop(0);
  expect([slack.seen, discord.seen]).toEqual([
    ['started', 'stopped'],
    ['failed', 'failed', 'started', 'stopped'],
  ]);
});

it('where no platform can be started, it fails', async () => {
  const { surfaces } = setUp(true, platform(1), platform(1));
  await expect(surfaces.start(recordingHost())).rejects.toThrow('down');
});

it('a run of its own fails with the first platform that does, and stops the others', async () => {
  const slack = platform(0);
  const { surfaces } = setUp(false, slack, platform(1));
  await expect(surfaces.start(recordingHost())).rejects.toThrow('down');
  expect(slack.seen).toEqual(['started', 'stopped']);
});
