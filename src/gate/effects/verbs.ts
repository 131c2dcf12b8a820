import { type FlagTable, flagParser } from './flags.ts';
import { type Judgement, type Rule, unknown, worst } from './rule.ts';
import type { Argument } from './shell/argument.ts';

/** A program of the form `name [options] verb …`. */
export interface VerbTable {
  /** Options before the verb. */
  readonly globals?: Omit<FlagTable, 'stopAtOperand'>;
  /** A key may list several spellings, separated by blanks. */
  readonly verbs: Readonly<Record<string, Rule>>;
  /** Called without a verb. Default: unknown. */
  readonly bare?: Rule;
  /** A verb that is not listed. Default: unknown. */
  readonly otherwise?: Rule;
  /** The program takes the beginning of a verb for the verb (npm). */
  readonly abbreviates?: true;
}

export function verbs(table: VerbTable): Rule {
  const rules = new Map<string, Rule>();
  for (const [spellings, rule] of Object.entries(table.verbs)) {
    for (const spelling of spellings.split(/\s+/)) rules.set(spelling, rule);
  }
  const parse = flagParser({ ...table.globals, stopAtOperand: true });
  return (args, shell) => {
    const { judgement, operands } = parse(args);
    const [verb, ...rest] = operands;
    if (verb === undefined) return worst(judgement, (table.bare ?? (() => unknown('no command is named')))([], shell));
    // With options that are not understood, any later word may be the verb.
    if (judgement.effect !== 'read' || !verb.literal) {
      return worst(
        verb.literal ? judgement : worst(judgement, unknown(`${verb.source} is not known`, 'dynamic')),
        ...anyOf(args),
      );
    }
    const rule = rules.get(verb.text);
    if (rule !== undefined) return worst(judgement, rule(rest, shell));
    const meant = table.abbreviates === true ? [...rules].filter(([name]) => name.startsWith(verb.text)) : [];
    if (meant.length > 0) {
      return worst(unknown(`${verb.text} is an abbreviation`), ...meant.map(([, one]) => one(rest, shell)));
    }
    return worst(judgement, (table.otherwise ?? (() => unknown(`${verb.text} is not known`)))(operands, shell));

    function anyOf(words: readonly Argument[]): Judgement[] {
      return words.flatMap((word, at) => {
        const possible = rules.get(word.text);
        return possible === undefined ? [] : [possible(words.slice(at + 1), shell)];
      });
    }
  };
}
