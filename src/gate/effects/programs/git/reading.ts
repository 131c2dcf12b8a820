import { flags, type Parsed } from '../../flags.ts';
import { type Judgement, READ, type Rule, unknown, worst } from '../../rule.ts';
import { secretsIn } from '../../secrets.ts';
import type { Argument } from '../../shell/argument.ts';

/** Reads of a repository: as long as its configuration names no program, and only where the script started. */
export function reads(
  read: string,
  { looksFor = false, ...more }: { write?: string; unknown?: string; looksFor?: boolean } = {},
  then?: (parsed: Parsed) => Judgement | undefined,
): Rule {
  const rule = flags(
    { read: `${read} -h`, ...more },
    (parsed) =>
      worst(
        then?.(parsed) ?? READ,
        secretsIn({ operands: filesOf(parsed, looksFor).map(inTree) }),
        asksForSignatures(parsed) ? unknown('checks signatures by a program that configuration names') : undefined,
      ),
    'needs:git-neutralised',
  );
  return (args, shell) =>
    shell.moved
      ? worst(unknown('the repository there may run helpers', 'needs:git-neutralised'), rule(args, shell))
      : rule(args, shell);
}

/** What is looked for is no file. */
function filesOf({ operands, values }: Parsed, looksFor: boolean): readonly Argument[] {
  return looksFor && !values.has('-e') && !values.has('-f') ? operands.slice(1) : operands;
}

/** `HEAD:.env` is the file of that name. */
function inTree(operand: Argument): Argument {
  return { ...operand, text: operand.text.replace(/^[^:]*:/, '') };
}

/** Placeholders of formats that start gpg. */
function asksForSignatures({ values }: Parsed): boolean {
  return [...values.values()].some(({ text }) => /%G|%\(signature|%\(raw/.test(text));
}
