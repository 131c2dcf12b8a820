import type { Judgement, ShellState } from './rule.ts';
import type { Argument } from './shell/argument.ts';

/**
 * What among the words would reach beyond this machine if it were run: a text as a script, a word with those behind it
 * as a program. For programs that start others in ways a table cannot follow.
 */
export function reaching(args: readonly Argument[], shell: ShellState): Judgement[] {
  return args
    .flatMap(({ text, literal }, at): Judgement[] => {
      if (text.length > 2_000) return [];
      // What is not known of it is left out: the rest still says where it goes.
      if (/\s/.test(text)) return [shell.judgeScript(text.replace(/^([\w.-]+=)?!?/, '').replaceAll('\\n', '\n'))];
      return !literal || text.startsWith('-') ? [] : [shell.judgeNamed(args.slice(at))];
    })
    .filter(({ effect }) => effect === 'external');
}
