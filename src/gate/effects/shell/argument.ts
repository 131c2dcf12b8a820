import type { DoubleQuotedChild, Word, WordPart } from './parse.ts';

/**
 * A word as a program would get it. `text` holds its decoded characters as far as they are known; `literal` says that is
 * all of it. `prefix` is what it certainly begins with.
 */
export interface Argument {
  readonly text: string;
  readonly literal: boolean;
  readonly prefix: string;
  /** Holds an unquoted expansion: it may become several words, or none. */
  readonly splits: boolean;
  /** May become several words, though none of them an option: a glob, braces, `"$@"`. Absent: it does not. */
  readonly several?: boolean;
  /** Where it holds a glob or braces: its text with them. */
  readonly pattern?: string;
  /** As a path, from every folder that the script may be in. Absent: `text`. */
  readonly paths?: readonly string[];
  /** As written, for people. */
  readonly source: string;
}

/** What a variable certainly begins with, where the script itself sets it (a loop over literal words). */
export type KnownPrefixes = ReadonlyMap<string, string>;

const NOTHING_KNOWN: KnownPrefixes = new Map();

/** Variables the shell itself sets to numbers or to absolute paths. */
const BUILT_IN_PREFIXES: KnownPrefixes = new Map([
  ['?', '0'],
  ['#', '0'],
  ['$', '1'],
  ['PWD', '/'],
  ['HOME', '/'],
]);

const NUMBERS: ReadonlySet<string> = new Set(['?', '#', '$']);

export function argumentOf(word: Word, known: KnownPrefixes = NOTHING_KNOWN): Argument {
  if (word.parts === undefined) return { ...literalArgument(word.value), source: word.text };
  const built = new Builder(known);
  for (const part of word.parts) built.add(part);
  const { text, literal, prefix, splits, several, pattern } = built;
  return {
    text,
    literal,
    prefix,
    splits,
    ...(several ? { several } : {}),
    ...(pattern === text ? {} : { pattern }),
    source: word.text,
  };
}

/** An argument nothing is known about, such as what `xargs` appends. */
export function unknownArgument(source: string, prefix = ''): Argument {
  return { text: prefix, literal: false, prefix, splits: false, source };
}

export function literalArgument(text: string): Argument {
  return { text, literal: true, prefix: text, splits: false, source: text };
}

/** Whether there may be more words than that once the shell is done with them. */
export function mayBeMoreThan(count: number, words: readonly Argument[]): boolean {
  return words.length > count || words.some(({ splits, several }) => splits || several === true);
}

/** Whether a program could take it for an option. */
export function mayBeOption(argument: Argument): boolean {
  if (argument.literal) return argument.text.startsWith('-');
  return argument.splits || argument.prefix === '' || argument.prefix.startsWith('-');
}

class Builder {
  text = '';
  literal = true;
  prefix = '';
  splits = false;
  several = false;
  pattern = '';
  readonly #known: KnownPrefixes;

  constructor(known: KnownPrefixes) {
    this.#known = known;
  }

  add(part: WordPart | DoubleQuotedChild, quoted = false): void {
    switch (part.type) {
      case 'Literal':
      case 'SingleQuoted':
        this.#append(part.value);
        return;
      case 'AnsiCQuoted':
        // The parser drops a backslash-newline here, which the shell keeps.
        if (part.text.includes('\\\n')) this.#unknown('');
        else this.#append(part.value);
        return;
      case 'DoubleQuoted':
      case 'LocaleString':
        for (const child of part.parts) this.add(child, true);
        return;
      case 'SimpleExpansion':
        this.#expansion(part.text.slice(1), quoted);
        return;
      case 'ParameterExpansion':
        if (/^[@*]$/.test(part.index?.text ?? '')) this.several = true;
        if (part.operation === undefined && part.prefix === undefined) this.#expansion(part.parameter, quoted);
        else this.#expansion('', quoted);
        return;
      case 'CommandExpansion':
        this.#expansion('', quoted);
        return;
      case 'ProcessSubstitution':
        this.#unknown('/dev/fd/');
        return;
      default:
        this.several = true;
        this.pattern += part.text;
        this.#unknown('');
    }
  }

  #expansion(name: string, quoted: boolean): void {
    this.splits ||= !quoted && !NUMBERS.has(name);
    this.several ||= /^[@*]$/.test(name);
    this.#unknown(this.#known.get(name) ?? BUILT_IN_PREFIXES.get(name) ?? '');
  }

  #append(value: string): void {
    this.text += value;
    this.pattern += value;
    if (this.literal) this.prefix += value;
  }

  #unknown(begins: string): void {
    if (this.literal) this.prefix += begins;
    this.text += begins;
    this.pattern += begins;
    this.literal = false;
  }
}
