import { targetsIn } from './facts.ts';
import { pathsOf } from './folders.ts';
import { persistenceOf } from './redirects.ts';
import type { Judgement, ShellState } from './rule.ts';
import { type Argument, literalArgument } from './shell/argument.ts';

/** What a write writes, where the words that name it are all of it. Any other judgement stays what it is. */
export function writing(judged: Judgement, words: readonly Argument[], shell: ShellState): Judgement {
  if (judged.effect !== 'write') return judged;
  const { targets, writesMore } = targetsIn(words, shell.folders);
  const later = words.flatMap((word) => pathsOf(word, shell.folders).flatMap(persistenceOf));
  return {
    ...judged,
    tags: [...(judged.tags ?? []), ...later],
    targets,
    writesMore: writesMore || words.length === 0,
  };
}

/** The value of an option, as a word of its own. */
export function valuesOf(
  { values }: { readonly values: ReadonlyMap<string, Argument> },
  ...names: readonly string[]
): readonly Argument[] {
  return names.flatMap((name) => {
    const value = values.get(name);
    return value === undefined || value.text === '' ? [] : [value.literal ? literalArgument(value.text) : value];
  });
}
