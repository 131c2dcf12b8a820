import type { Finding } from '../observe/audit/findings.ts';
import type { AuditReport } from '../observe/audit/verify.ts';
import { type AuditFlags, checkAudit } from './audit-files.ts';
import { EXIT } from './exit-codes.ts';
import { inertJson, inertLine } from './inert.ts';

/** Of one kind; --json has all of them. */
const MOST_SHOWN = 20;

/** `handraise audit verify`: 0 when nothing is wrong, 1 when something is. */
export async function auditVerify(flags: AuditFlags): Promise<number> {
  const { folders, report } = await checkAudit(flags, flags.offline !== true);
  const isWhole = report.problems.length === 0;
  process.stdout.write(
    `${flags.json === true ? inertJson({ isWhole, folders, ...report }) : asText(folders, report).join('\n')}\n`,
  );
  return isWhole ? EXIT.ok : EXIT.failed;
}

function asText(folders: readonly string[], { files, rows, chains, problems, notes }: AuditReport): string[] {
  const where = folders.map(inertLine).join(', ');
  const verdict =
    problems.length === 0
      ? 'Nothing was changed, dropped or moved, as far as anything vouches for it.'
      : `The record is not whole: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`;
  return [
    `${rows} rows in ${files} files (${where}), ${chains.length} chains.`,
    ...shown('problem', problems),
    ...shown('note', notes),
    verdict,
  ];
}

function shown(what: 'problem' | 'note', findings: readonly Finding<string>[]): string[] {
  const lines = findings.slice(0, MOST_SHOWN).map((finding) => `  ${what} ${sentenceOf(finding)}`);
  const rest = findings.length - MOST_SHOWN;
  return rest > 0 ? [...lines, `  … and ${rest} more ${what}s; --json lists them`] : lines;
}

function sentenceOf({ code, sentence, file, line }: Finding<string>): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  return inertLine(`${code}: ${sentence}${place}`);
}
