/** One use of a flag: `at` is the index of the flag, `length` how many arguments it takes up with its values. */
export interface FlagUse {
  readonly at: number;
  readonly length: number;
  readonly values: readonly string[];
}

/**
 * Finds a flag the way commander, which Claude Code uses, reads it: `--flag=value`, or `--flag value`, a list flag taking
 * every argument up to the next one that begins with a dash. Nothing after `--` is a flag.
 */
export function usesOf(args: readonly string[], names: readonly string[], takes: 'one' | 'many'): FlagUse[] {
  const end = args.indexOf('--');
  const ours = end < 0 ? args : args.slice(0, end);
  return ours.flatMap((arg, at): FlagUse[] => {
    const inline = names.find((name) => arg.startsWith(`${name}=`));
    if (inline !== undefined) return [{ at, length: 1, values: [arg.slice(inline.length + 1)] }];
    if (!names.includes(arg)) return [];
    const following = ours.slice(at + 1);
    const next = following.findIndex((value, index) => index > 0 && value.length > 1 && value.startsWith('-'));
    const many = next < 0 ? following : following.slice(0, next);
    const values = takes === 'one' ? following.slice(0, 1) : many;
    return [{ at, length: 1 + values.length, values }];
  });
}

/** Every value of a list flag, over all its uses. */
export function valuesOf(args: readonly string[], names: readonly string[]): string[] {
  return usesOf(args, names, 'many').flatMap(({ values }) => values);
}

/** Whether a switch without a value is set. */
export function isSet(args: readonly string[], name: string): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes(name);
}

/** The names in a list value, separated by commas or spaces outside brackets: `Bash(git *), Edit` are two. */
export function namesIn(value: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let name = '';
  for (const character of `${value} `) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth <= 0 && /[\s,]/.test(character)) {
      if (name !== '') names.push(name);
      name = '';
    } else {
      name += character;
    }
  }
  return name === '' ? names : [...names, name.trimEnd()];
}
