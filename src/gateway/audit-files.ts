import { dirname, join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { ChainEnd } from '../observe/audit/chain.ts';
import { Findings } from '../observe/audit/findings.ts';
import { auditFiles } from '../observe/audit/folder.ts';
import { type AuditLine, linesIn, vouchedLine } from '../observe/audit/read.ts';
import { removeAll } from '../observe/audit/retention.ts';
import { AUDIT_PURPOSE, latestEnds, type OpenSigned, readVouched, vouchedText } from '../observe/audit/vouched.ts';
import { type LineFile, openLineFile } from '../observe/line-file.ts';
import { readVerdictKey, type SigningKey, type VerdictKey } from '../trust/keys.ts';
import { openText, signText } from '../trust/signed-text.ts';

export interface GatewayAuditOptions {
  readonly gatewayId: string;
  /** Signs how far the chain went, and what of it was deleted. */
  readonly key: SigningKey;
  /** Public keys of the time before the key was changed, and of the other gateways. */
  readonly pinned?: readonly string[] | undefined;
  /** The store's. */
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds after which files of gateways in the folder are deleted. Default: never. */
  readonly retentionMs?: number;
}

export interface GatewayAudit extends LineFile {
  /** A line that says, signed, that the chain stood there. */
  vouch(end: ChainEnd): string;
}

/** How long one file is written to: what is deleted goes by whole files. */
const FILE_MS = 24 * 3_600_000;

/**
 * Where a gateway puts what it seals: `gateway-<id>-1.jsonl` and so on in `folder`, a new one each day that has rows. The
 * next one is opened before the old one is let go, so that a full disk loses nothing.
 */
export function openGatewayAudit(folder: string, options: GatewayAuditOptions): GatewayAudit {
  const { gatewayId, key, pinned, clock, retentionMs } = options;
  const keys = [readVerdictKey(key.verdictKey), ...(pinned ?? []).map(readVerdictKey)];
  let count = 0;
  const open = () => {
    const path = join(folder, `gateway-${gatewayId}-${count + 1}.jsonl`);
    const file = openLineFile(path, { durable: true, exclusive: true });
    count += 1;
    if (retentionMs !== undefined) expireGateways({ path, file }, clock.now() - retentionMs, keys, key);
    return { file, openedAt: clock.now() };
  };
  let current = open();
  return {
    append(...lines) {
      if (clock.now() - current.openedAt >= FILE_MS) {
        const next = open();
        current.file.close();
        current = next;
      }
      current.file.append(...lines);
    },
    close: () => current.file.close(),
    vouch: (end) => signed({ kind: 'head', ...end, at: clock.now() }, key),
  };
}

/**
 * Deletes what gateways wrote longer ago. How far each chain is gone then, is signed and on the disk before. Only what a
 * gateway's own signed head covers is deleted: whoever could put files into the folder must not get a signature on a gap.
 */
function expireGateways(
  to: { readonly path: string; readonly file: LineFile },
  before: number,
  keys: readonly VerdictKey[],
  key: SigningKey,
): void {
  const old = auditFiles(dirname(to.path))
    .filter((file) => file.isGateways && file.path !== to.path && file.changedAt < before)
    .map((file) => ({ file, lines: linesIn(file.name, file.path) }));
  const open: OpenSigned = (sealed) => openText(AUDIT_PURPOSE, sealed, keys);
  // What does not count is no reason to delete; `audit verify` says what is wrong with it.
  const vouched = readVouched(
    old.flatMap(({ lines }) => lines),
    open,
    new Findings(),
  );
  const ends = latestEnds(vouched.filter(({ at }) => at < before));
  const covered = old.filter(({ lines }) => lines.every((line) => isCovered(line, ends)));
  if (covered.length === 0) return;
  to.file.append(...[...ends.values()].map((end) => signed({ kind: 'deleted', ...end, at: before }, key)));
  removeAll(covered.map(({ file }) => file));
}

function isCovered(line: AuditLine, ends: ReadonlyMap<string, ChainEnd>): boolean {
  if (line.kind === 'row') return line.n <= (ends.get(line.chain)?.n ?? 0);
  return line.kind === 'vouched' || line.kind === 'torn';
}

function signed(what: Parameters<typeof vouchedText>[0], key: SigningKey): string {
  return vouchedLine(signText(AUDIT_PURPOSE, vouchedText(what), key));
}
