import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dialControl } from '../../src/cli/control-client.ts';
import type { Outcome } from '../../src/core/outcomes.ts';
import type { AuditRow } from '../../src/core/ports/audit-sink.ts';
import type { Proposal } from '../../src/core/proposals/contract.ts';
import type { Choice, Resolution } from '../../src/core/wire/control.ts';
import type { Embedded } from '../../src/gateway/embedded.ts';

/** A proposal that waits for its decision. */
export interface Waiting {
  readonly requestId: string;
  readonly outcome: Promise<Outcome>;
  withdraw(): void;
}

/** Proposes; whatever comes back is delivered. */
export async function waiting({ prompter }: Pick<Embedded, 'prompter'>, proposal: Proposal): Promise<Waiting> {
  const asker = new AbortController();
  let outcome: Promise<Outcome> | undefined;
  const requestId = await new Promise<string>((onAccepted, reject) => {
    outcome = prompter.propose(proposal, { signal: asker.signal, onAccepted }).then(async (result) => {
      await result.delivered();
      return result.outcome;
    });
    outcome.then((ended) => reject(new Error(`ended as ${ended.kind}`)), reject);
  });
  if (outcome === undefined) throw new Error('nothing was proposed');
  return { requestId, outcome, withdraw: () => asker.abort() };
}

/** Everything in the audit files of an embedded run. */
export function auditIn(stateDirectory: string): AuditRow[] {
  const folder = join(stateDirectory, 'audit');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditRow);
}

/** Waits for the row of a click that was refused. */
export async function refusedClick(stateDirectory: string, requestId: string, userId: string): Promise<AuditRow> {
  const find = () =>
    auditIn(stateDirectory).findLast(
      (row) => row.event === 'click_refused' && row.requestId === requestId && row.actor?.userId === userId,
    );
  await expect.poll(find, { timeout: 20_000 }).toBeDefined();
  return find() as AuditRow;
}

/** `handraise resolve` as the user of this machine. */
export async function resolveAt(stateDirectory: string, requestId: string, choice: Choice): Promise<Resolution> {
  const folder = join(stateDirectory, 'control');
  const [socket = ''] = readdirSync(folder).filter((name) => name.endsWith('.sock'));
  const client = await dialControl(join(folder, socket), undefined);
  try {
    return await client.resolve({ requestId, choice });
  } finally {
    client.close();
  }
}
