import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '../../../../src/observe/audit/read.ts';
import { exportedRows } from '../../../../src/observe/audit/rows.ts';
import { verifyAudit } from '../../../../src/observe/audit/verify.ts';
import { openAuditFile } from '../../../../src/observe/audit-file.ts';
import { buildFixture, startNode } from '../../../support/typescript-process.ts';

let fixture: Awaited<ReturnType<typeof buildFixture>>;
beforeAll(async () => {
  fixture = await buildFixture('test/fixtures/observe/killed-claim.ts');
});
afterAll(() => fixture.remove());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hr-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ASKED = ['asked', 'shown'];
const CLAIMED = [...ASKED, 'claimed'];
const DELIVERED = [...CLAIMED, 'delivered', 'ended'];

/** Asking, claiming and confirming append once each. */
const STEPS = [
  ['before', 1, []],
  ['torn', 1, []],
  ['after', 1, ASKED],
  ['before', 2, ASKED],
  ['torn', 2, ASKED],
  ['after', 2, CLAIMED],
  ['before', 3, CLAIMED],
  ['torn', 3, CLAIMED],
  ['after', 3, DELIVERED],
  ['between', 0, DELIVERED],
] as const;

describe('the audit of a run that is killed (promise: audit-chain)', () => {
  it.each(STEPS)('%s append %i of a claim still verifies, and says what happened', async (step, nth, events) => {
    const path = join(folder, 'killed.jsonl');
    const { child, finished } = startNode(fixture.file, [path, step, `${nth}`]);
    const { stderr } = await finished;
    expect([child.signalCode, stderr]).toEqual(['SIGKILL', '']);
    const killed = verified();
    expect(killed.problems).toEqual([]);
    expect(killed.notes.map(({ code }) => code)).toEqual(step === 'torn' ? ['torn', 'not_closed'] : ['not_closed']);
    expect(happened()).toEqual(['opened', ...events]);

    // The next run goes on beside it, and from then on nothing of what is there can go unnoticed.
    openAuditFile(join(folder, 'next.jsonl')).close();
    expect(verified().problems).toEqual([]);
    rmSync(path);
    expect(verified().problems.map(({ code }) => code)).toEqual(['missing_chain']);
  });

  it('has no note when it closed its file', async () => {
    await startNode(fixture.file, [join(folder, 'killed.jsonl'), 'never']).finished;
    expect(verified()).toMatchObject({ problems: [], notes: [] });
    expect(happened()).toEqual(['opened', ...DELIVERED, 'closed']);
  });
});

function verified() {
  return verifyAudit(readAudit(folder));
}

function happened(): string[] {
  return exportedRows(readAudit(folder).lines, {}).map(({ event }) => event);
}
