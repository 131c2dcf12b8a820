import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { stateDirectory } from '../config/state-dir.ts';
import { systemClock } from '../core/clock.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { signingKeyOf } from '../gateway/signing-key.ts';
import { readAudit } from '../observe/audit/read.ts';
import { type AuditReport, type VerifyOptions, verifyAudit } from '../observe/audit/verify.ts';
import { AUDIT_PURPOSE, type OpenSigned } from '../observe/audit/vouched.ts';
import { openLog } from '../observe/log.ts';
import { readVerdictKey } from '../trust/keys.ts';
import { openText } from '../trust/signed-text.ts';

export interface AuditFlags {
  readonly dir?: readonly string[];
  readonly key?: readonly string[];
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly config?: string;
}

/** The audit as it lies there, and what there is to say about it. */
export interface CheckedAudit {
  readonly folders: readonly string[];
  readonly audit: ReturnType<typeof readAudit>;
  readonly report: AuditReport;
}

/** Throws `unavailable` when the files cannot be read, or Redis, where one is configured and `askRedis` is set. */
export async function checkAudit(flags: AuditFlags, askRedis: boolean): Promise<CheckedAudit> {
  const config = await loadConfig({ flags: { config: flags.config }, env: process.env });
  const folders = (flags.dir ?? [join(stateDirectory(process.env), 'audit')]).map((folder) => resolve(folder));
  for (const folder of flags.dir === undefined ? [] : folders) {
    if (!existsSync(folder)) throw new HandraiseError(`there is no folder ${folder}`, { code: 'usage' });
  }
  const sealed = askRedis ? await sealedInRedis(config) : undefined;
  // After Redis: what is sealed meanwhile is in a file first.
  const audit = readable(folders);
  const open = await openSigned(config, flags.key ?? []);
  const report = verifyAudit({
    ...audit,
    ...(open === undefined ? {} : { open }),
    ...(sealed === undefined ? {} : { sealed }),
  });
  return { folders, audit, report };
}

function readable(folders: readonly string[]): ReturnType<typeof readAudit> {
  try {
    return readAudit(...folders);
  } catch (thrown) {
    throw new HandraiseError(`the audit cannot be read: ${sentenceOf(thrown)}`, {
      code: 'unavailable',
      hint: 'Become the user whose audit it is, or name a copy that you may read with --dir.',
      cause: thrown,
    });
  }
}

/** By the keys that runs pin and those that were named; a gateway's host may have the private one alone. */
async function openSigned(config: Config, named: readonly string[]): Promise<OpenSigned | undefined> {
  const pinned = [...named, ...(config.trust?.verdictKeys ?? [])];
  const { signingKey, signingKeyFile } = config.gateway ?? {};
  if (pinned.length === 0 && (signingKey !== undefined || signingKeyFile !== undefined)) {
    const log = openLog({ stderr: true, level: 'error' });
    pinned.push((await signingKeyOf(config, log)).verdictKey);
    log.close();
  }
  if (pinned.length === 0) return undefined;
  const keys = pinned.map(readVerdictKey);
  return (sealed) => openText(AUDIT_PURPOSE, sealed, keys);
}

async function sealedInRedis({ redis }: Config): Promise<VerifyOptions['sealed']> {
  if (redis === undefined) return undefined;
  const { openRedisStore } = await import('../store/redis/open.ts');
  const log = openLog({ stderr: true, level: 'error' });
  const store = await openRedisStore({ url: redis.url.reveal(), clock: systemClock, log });
  try {
    return await store.auditState();
  } finally {
    store.stop();
    log.close();
  }
}
