import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';

const CHAOS = fileURLToPath(new URL('../../../dist/test/chaos/main.js', import.meta.url));

/** Everything that is wrong must be nothing; how fast it went is for `npm run chaos` to print. */
const NOTHING_WRONG = {
  ...{ lost: 0, duplicated: 0, misdelivered: 0, unsettled: 0, falselyShown: 0, late: 0, unaudited: 0 },
};

async function chaos(...args: string[]) {
  const { stdout, exitCode } = await execa(process.execPath, [CHAOS, ...args], { reject: false });
  const lines = stdout.split('\n');
  const [, folder] = lines.map((line) => /notes are in (\S+)$/.exec(line)).find((found) => found !== null) ?? [];
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  // What happened stands before the last line; a failure shows it.
  const story = lines.slice(0, -1).filter((line) => /VIOLATION|FAILURE/.test(line));
  return { exitCode, story, summary: JSON.parse(lines.at(-1) ?? '{}') };
}

describe('many gateways and owners over one Redis', () => {
  it('deliver every answer once, to its own agent, while gateways, owners and Redis are killed and connections cut', async () => {
    const { exitCode, story, summary } = await chaos(
      ...['--seed', '1', '--requests', '40', '--owners', '4', '--channels', '8', '--faster', '60'],
      ...['--faults', '400', '--lease', '6000', '--most', '60'],
    );
    expect(story).toEqual([]);
    expect(summary).toMatchObject({ requests: 40, ...NOTHING_WRONG });
    expect(Object.keys(summary.faults).length).toBeGreaterThan(3);
    expect(summary.outcomes.answered).toBeGreaterThan(0);
    expect(exitCode).toBe(0);
  }, 240_000);

  it('answer everything in a calm run, though clicks come by any connection and some twice', async () => {
    const { exitCode, story, summary } = await chaos(
      ...['--seed', '2', '--requests', '40', '--owners', '3', '--channels', '8', '--faster', '60', '--faults', 'none'],
      ...['--most', '90'],
    );
    expect(story).toEqual([]);
    expect(summary).toMatchObject({ requests: 40, outcomes: { answered: 40 }, ...NOTHING_WRONG });
    expect(summary.people.duplicates).toBeGreaterThan(0);
    expect(summary.people.on).toEqual({ slack: expect.any(Number), discord: expect.any(Number) });
    // A question may be answered on one platform before it has a card on the other.
    expect(summary.cardsSettled).toBeGreaterThan(40);
    expect(exitCode).toBe(0);
  }, 240_000);
});
