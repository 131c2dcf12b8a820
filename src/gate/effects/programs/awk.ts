import { flagParser } from '../flags.ts';
import { type Judgement, READ, type Rule, unknown, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';
import type { Argument } from '../shell/argument.ts';

const parse = flagParser({
  read: '-F: -v: --field-separator= --assign= --re-interval --posix --traditional --version -V',
  unknown:
    '-f: --file= -i: -l: -E: -e: --include= --load= --exec= --source= -p? -o? --profile[=] --pretty-print[=] -d? --dump-variables[=]',
  stopAtOperand: true,
});

/** Programs that only compute and print: no pipe, no redirection, no system, no getline from elsewhere. */
export const judgeAwk: Rule = (args) => {
  const { judgement, operands } = parse(args);
  const [program, ...files] = operands;
  return worst(judgement, program === undefined ? READ : judgeProgramText(program), secretsIn({ operands: files }));
};

const DANGER = /\b(system|getline|close|fflush|ENVIRON|PROCINFO)\b|\||>|@/;

function judgeProgramText(program: Argument): Judgement {
  if (!program.literal) return unknown('a program that is not known', 'dynamic');
  if (!DANGER.test(program.text)) return READ;
  // Where texts and regular expressions may both be, only a grammar could tell which quote belongs to which.
  const code = program.text.includes('/') ? undefined : program.text.replace(/"(?:[^"\\\n]|\\.)*"/g, ' S ');
  if (code === undefined || code.includes('"')) return unknown('a program that may write or run');
  // `>` compares where a condition has to follow; elsewhere it counts as a redirection.
  const rest = code.replace(/>=|\|\|/g, ' ').replace(/(\$\w+|\w+)\s*>\s*\d+(\.\d+)?\s*(?=\{|&&|\)|$)/g, ' ');
  return DANGER.test(rest) ? unknown('a program that may write or run') : READ;
}
