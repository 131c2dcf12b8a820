import { flags } from '../flags.ts';
import { reaching } from '../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';

/** Changes the shell for what comes after; a text among its words that would reach outside counts as if it ran. */
const sets: Rule = (args, shell) => worst(unknown('changes the shell for what comes after'), ...reaching(args, shell));

const BINARY = /^(=|==|!=|<|>|=~|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/**
 * `[` and `test`: `-v` evaluates a subscript, and so do operands that may turn out to be it. One that is not known has
 * to stand alone or beside an operator; comparisons of numbers take numbers only.
 */
const test: Rule = (args) => {
  const words = args.at(-1)?.text === ']' ? args.slice(0, -1) : args;
  for (const [at, { text, literal, splits }] of words.entries()) {
    const [before = '', after = ''] = [words[at - 1]?.text, words[at + 1]?.text];
    if (/^-[vR]$/.test(text)) return unknown('evaluates a subscript');
    if (/^-(eq|ne|lt|le|gt|ge)$/.test(text)) {
      const sides = [words[at - 1], words[at + 1]];
      if (sides.some((side) => !/^-?\d+$/.test(side?.prefix ?? ''))) return unknown('evaluates an operand');
    }
    const placed = words.length === 1 || BINARY.test(before) || BINARY.test(after) || /^-[a-zA-Z]$/.test(before);
    if (!literal && (splits || !placed)) return unknown('an operand that may become an operator', 'dynamic');
  }
  return { ...READ, reason: 'checks' };
};

/** What the shell does itself. */
export const SHELL_BUILTINS: Readonly<Record<string, Rule>> = {
  'true false :': always('read', 'does nothing'),
  'exit return break continue': always('read', 'ends something of the script'),
  wait: flags({ read: '-n -f', unknown: '-p:' }),
  'test [': test,
  'cd pushd': flags({ read: '-L -P -e -n -@', harmless: true }),
  popd: always('read', 'changes the directory'),
  dirs: flags({ read: '-c -l -p -v' }),
  'type which whereis': flags({
    read: '-a -f -P -p -t -s -b -m -u -l --all --skip-alias --skip-functions --tty-only',
    harmless: true,
  }),
  hash: (args) => (args.length === 0 ? READ : unknown('changes where commands are found')),
  history: (args) =>
    args.every(({ text }) => /^\d+$/.test(text))
      ? { ...READ, tags: ['secret-read'] }
      : { effect: 'write', reason: 'changes or writes the history' },
  jobs: flags({ read: '-l -n -p -r -s', unknown: '-x:' }),
  'ulimit umask': (args) =>
    args.every(({ text }) => /^-[aSHp]+$/.test(text)) ? READ : unknown('changes the shell for what comes after'),
  times: always('read', 'prints'),
  help: flags({ read: '-d -m -s', harmless: true }),
  'source .': always('unknown', 'runs a file', 'code-exec'),
  eval: (args, shell) => {
    const text = args.map((one) => one.text).join(' ');
    const inner = shell.judgeScript(text);
    return worst(unknown('runs a text it makes up'), inner.effect === 'external' ? inner : undefined);
  },
  'export declare typeset local readonly unset alias unalias set shopt enable trap let read mapfile readarray getopts bind complete compopt disown fg bg logout suspend caller coproc':
    sets,
  compgen: always('unknown', 'may run a command'),
  fc: always('unknown', 'runs a command of the history'),
  printenv: flags({ read: '-0 --null --help --version' }, ({ operands }) =>
    operands.length === 0 || operands.some(({ text }) => /TOKEN|SECRET|PASS|KEY|CREDENTIAL/i.test(text))
      ? { ...READ, reason: 'prints the environment', tags: ['secret-read'] }
      : undefined,
  ),
  kill: (args) =>
    args.some(({ text }) => text === '-l' || text === '-L') ? READ : { effect: 'write', reason: 'ends processes' },
  sleep: (args) =>
    args.every(({ text }) => /^[\d.]+[smhd]?$/.test(text))
      ? READ
      : (secretsIn({ operands: args }) ?? unknown('how long is not known')),
};
