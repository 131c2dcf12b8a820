import type { Effect, EffectTag } from './effect.ts';
import { type Judgement, READ, type Rule, type ShellState, unknown, worst } from './rule.ts';
import { type Argument, literalArgument, mayBeOption } from './shell/argument.ts';
import { valuesOf, writing } from './written.ts';

/**
 * The options a program may be called with, by what each makes of the call. One text a kind, separated by blanks:
 * `-x` and `--long` take nothing, `-x:` and `--long=` take a value (glued or as the next word), `-x?` and `--long[=]` may
 * have a glued one. An option that is not listed makes the call unknown.
 */
export interface FlagTable {
  readonly read?: string;
  readonly write?: string;
  readonly unknown?: string;
  readonly external?: string;
  /** Those of `write` whose value is the file that is written, and the only one. */
  readonly written?: readonly string[];
  /** `exact`: one dash or two, whole words only, `-name=value` allowed (find, go, terraform). */
  readonly style?: 'gnu' | 'exact';
  /** No option of any version writes or starts anything: words that may expand to an option do no harm. */
  readonly harmless?: true;
  /** Operands end the options (wrappers: what follows is the inner command's). */
  readonly stopAtOperand?: true;
}

/** How a call reads by its table. */
export interface Parsed {
  readonly judgement: Judgement;
  readonly operands: readonly Argument[];
  /** Values by option, as spelled in the table without its marks; `''` for options without one. */
  readonly values: ReadonlyMap<string, Argument>;
}

/** A rule by options alone, and by what `then` makes of options and operands. */
export function flags(
  table: FlagTable,
  then?: (parsed: Parsed, shell: ShellState) => Judgement | undefined,
  ...tags: EffectTag[]
): Rule {
  const parse = flagParser(table);
  return (args, shell) => {
    const parsed = parse(args);
    const files = valuesOf(parsed, ...(table.written ?? []));
    const judged = files.length > 0 ? writing(parsed.judgement, files, shell) : parsed.judgement;
    return worst({ ...judged, tags: [...(judged.tags ?? []), ...tags] }, then?.(parsed, shell));
  };
}

interface Option {
  readonly name: string;
  readonly takes: 'nothing' | 'value' | 'glued';
  readonly effect: Effect;
}

export function flagParser(table: FlagTable): (args: readonly Argument[]) => Parsed {
  const options = new Map<string, Option>();
  for (const effect of ['read', 'write', 'unknown', 'external'] as const) {
    for (const spelled of (table[effect] ?? '').split(/\s+/)) {
      if (spelled === '') continue;
      const name = spelled.replace(/(\[=\]|[=:?])$/, '');
      const takes = /\[=\]$|\?$/.test(spelled) ? 'glued' : /[=:]$/.test(spelled) ? 'value' : 'nothing';
      options.set(name, { name, takes, effect });
    }
  }
  return (args) => new Reading(options, table).of(args);
}

/** One call being read. */
class Reading {
  readonly #options: ReadonlyMap<string, Option>;
  readonly #table: FlagTable;
  readonly #operands: Argument[] = [];
  readonly #values = new Map<string, Argument>();
  #judgement: Judgement = READ;

  constructor(options: ReadonlyMap<string, Option>, table: FlagTable) {
    this.#options = options;
    this.#table = table;
  }

  of(args: readonly Argument[]): Parsed {
    for (let at = 0; at < args.length; at += 1) {
      const argument = args[at] as Argument;
      if (argument.literal && argument.text === '--') {
        this.#operands.push(...args.slice(at + 1));
        break;
      }
      if (!mayBeOption(argument) || (argument.literal && argument.text === '-')) {
        if (/^[\u2010-\u2015\u2212\uff0d]/.test(argument.text)) this.#worse(unknown('a dash that is none', 'unicode'));
        if (this.#table.stopAtOperand === true) {
          this.#operands.push(...args.slice(at));
          break;
        }
        this.#operands.push(argument);
        continue;
      }
      if (!argument.literal) {
        this.#dynamic(argument);
        continue;
      }
      at += this.#option(argument.text, args[at + 1]);
    }
    return { judgement: this.#judgement, operands: this.#operands, values: this.#values };
  }

  #dynamic(argument: Argument): void {
    // `-n$x`: the option itself is known and takes what follows.
    const short = this.#options.get(argument.prefix.slice(0, 2));
    const long = this.#options.get(argument.prefix.split('=')[0] ?? '');
    const known = argument.prefix.includes('=') && long?.takes !== 'nothing' ? long : undefined;
    const glued = known ?? (short?.takes === 'value' && !argument.prefix.startsWith('--') ? short : undefined);
    if (glued !== undefined && !argument.splits) {
      this.#take(glued, argument);
      return;
    }
    this.#operands.push(argument);
    if (this.#table.harmless !== true) this.#worse(unknown(`${argument.source} may become an option`, 'dynamic'));
  }

  /** Takes one word of options; answers how many further words belong to it. */
  #option(text: string, next: Argument | undefined): number {
    if (this.#table.style === 'exact') return this.#exact(text, next);
    if (text.startsWith('--')) return this.#long(text, next);
    // Some programs have options such as -10 or -vv; a table may name them whole.
    const whole = this.#options.get(text);
    if (whole !== undefined && text.length > 2) return this.#taking(whole, undefined, next);
    for (let at = 1; at < text.length; at += 1) {
      const option = this.#options.get(`-${text[at]}`);
      if (option === undefined) {
        if (/^\d+$/.test(text.slice(at)) && this.#options.has('-NUM')) return 0;
        this.#worse(unknown(`the option ${text} is not known`));
        continue;
      }
      if (option.takes === 'nothing') {
        this.#take(option, undefined);
        continue;
      }
      const glued = text.slice(at + 1);
      return this.#taking(option, glued === '' ? undefined : glued, next);
    }
    return 0;
  }

  #long(text: string, next: Argument | undefined): number {
    const [name = text, ...value] = text.split('=');
    const glued = text.includes('=') ? value.join('=') : undefined;
    const option = this.#options.get(name);
    if (option !== undefined) return this.#taking(option, glued, next);
    // Programs accept an abbreviation that is not ambiguous: it may be any that it begins.
    const meant = [...this.#options.values()].filter((one) => one.name.startsWith(name) && name.length > 2);
    this.#worse(unknown(`the option ${name} is not known`));
    for (const one of meant) this.#worse({ effect: one.effect, reason: `${name} may stand for ${one.name}` });
    return 0;
  }

  #exact(text: string, next: Argument | undefined): number {
    const [name = text, ...value] = text.split('=');
    const option = this.#options.get(text) ?? this.#options.get(name) ?? this.#options.get(name.replace(/^--/, '-'));
    if (option === undefined) {
      this.#worse(unknown(`the option ${name} is not known`));
      return 0;
    }
    return this.#taking(option, text.includes('=') && text !== option.name ? value.join('=') : undefined, next);
  }

  #taking(option: Option, glued: string | undefined, next: Argument | undefined): number {
    if (option.takes !== 'value' || glued !== undefined) {
      this.#take(option, glued === undefined ? undefined : literalArgument(glued));
      return 0;
    }
    if (next === undefined) {
      this.#worse(unknown(`${option.name} lacks its value`));
      return 0;
    }
    if (next.splits) this.#worse(unknown(`${next.source} may become several words`, 'dynamic'));
    this.#take(option, next);
    return 1;
  }

  #take(option: Option, value: Argument | undefined): void {
    this.#values.set(option.name, value ?? literalArgument(''));
    if (option.effect !== 'read')
      this.#worse({ effect: option.effect, reason: `${option.name} ${DOES[option.effect]}` });
  }

  #worse(judgement: Judgement): void {
    this.#judgement = worst(this.#judgement, judgement);
  }
}

const DOES: Readonly<Record<Exclude<Effect, 'read'>, string>> = {
  write: 'writes',
  unknown: 'may run or write anything',
  external: 'reaches beyond this machine',
};
