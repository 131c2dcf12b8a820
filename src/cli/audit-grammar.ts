import { type Command, Option } from 'commander';
import type { AuditExportOptions } from './audit-export.ts';
import type { AuditFlags } from './audit-files.ts';
import type { Finish } from './grammar.ts';

/** `audit verify` and `audit export`. */
export function addAuditCommands(program: Command, finish: Finish): void {
  const command = program
    .command('audit')
    .summary('check or print who decided what')
    .description('The audit has a row for everything that happened to a request (docs/audit.md).')
    .helpCommand(false);
  withFiles(command.command('verify'))
    .summary('say whether the record is whole')
    .description(
      'Finds rows that were changed, dropped, put elsewhere or given another number, and ends that are gone as far as ' +
        'a later file, a signed head or Redis has seen them; says what is not sealed yet. Files of several gateways are ' +
        'put together by number.',
    )
    .option('--offline', 'do not ask Redis how far the audit is sealed')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXIT_CODES.verify)
    .action(async (flags: AuditFlags) => {
      const { auditVerify } = await import('./audit-verify.ts');
      finish(await auditVerify(flags));
    });
  withFiles(command.command('export'))
    .summary('print the rows, oldest first')
    .description('Prints every row once, by time, as JSON lines or CSV; says on stderr where the record is not whole.')
    .addOption(new Option('--format <format>', 'jsonl or csv').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--since <time>', 'from then on, such as 2026-08-03 or 2026-08-03T10:00Z')
    .option('--until <time>', 'before then')
    .option('--session <id>', 'of one session only')
    .option('--request <id>', 'of one request only')
    .addHelpText('after', EXIT_CODES.export)
    .action(async (options: AuditExportOptions) => {
      const { auditExport } = await import('./audit-export.ts');
      finish(await auditExport(options));
    });
}

const EXIT_CODES = {
  verify:
    '\nExit code: 0 nothing is wrong (there may be notes), 1 something is; 64 usage, 69 the files or Redis cannot be ' +
    'read,\n78 configuration.',
  export: '\nExit code: 0 printed, 1 printed, and the record is not whole; 64 usage, 69 unavailable, 78 configuration.',
} as const;

function withFiles(command: Command): Command {
  return command
    .option(
      '--dir <folder>',
      'where the files are, repeated for several (default: audit/ of the state directory)',
      collect,
    )
    .option('--key <public key>', 'one more key that gateways sign with, or signed with before (hrvk1_…)', collect)
    .option('--config <file>', 'configuration (default: HANDRAISE_CONFIG, else ~/.config/handraise/handraise.yaml)')
    .option('--verbose', 'print stacks of failures');
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
