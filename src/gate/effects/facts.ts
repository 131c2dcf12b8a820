import type { Effect } from './effect.ts';
import type { Folders } from './folders.ts';

/** A program that a command runs, with the words that run it. */
export interface RunProgram {
  readonly name: string;
  readonly effect: Effect;
  readonly text: string;
}

/** A file or folder that a command writes, as the command names it. */
export interface WriteTarget {
  readonly path: string;
  /** Where a relative path may start. */
  readonly folders: readonly string[];
  /** Names of what is put into it in case it is a folder. */
  readonly into?: readonly string[];
}

/** What people have to know of a command besides its effect. Every member is absent where nothing is to be said. */
export interface Facts {
  readonly programs?: readonly RunProgram[];
  readonly targets?: readonly WriteTarget[];
  readonly hosts?: readonly string[];
  /** It writes more than `targets` says. Absent: that is so for a write that names no target at all. */
  readonly writesMore?: boolean;
  /** It may put a link where there was none: what else is written cannot be followed then. */
  readonly relocates?: boolean;
}

/** All facts of several findings together. */
export function mergedFacts(all: readonly (Facts & { readonly effect: Effect })[]): Facts {
  const told = all.filter(hasFacts);
  if (told.length === 0) return {};
  const [only] = told;
  if (told.length === 1 && only !== undefined) return factsOf(only);
  const relocates = told.some((one) => one.relocates === true);
  return {
    programs: told.flatMap(({ programs = [] }) => programs),
    targets: told.flatMap(({ targets = [] }) => targets),
    hosts: told.flatMap(({ hosts = [] }) => hosts),
    writesMore: told.some(writesMore) || (relocates && told.filter(isWriting).length > 1),
    relocates,
  };
}

function hasFacts(one: Facts & { readonly effect: Effect }): boolean {
  return one.effect === 'write' || Boolean(one.programs ?? one.targets ?? one.hosts ?? one.writesMore);
}

function factsOf(one: Facts & { readonly effect: Effect }): Facts {
  const { programs = [], targets = [], hosts = [], relocates = false } = one;
  return { programs, targets, hosts, writesMore: writesMore(one), relocates };
}

function writesMore(one: Facts & { readonly effect: Effect }): boolean {
  return one.writesMore ?? (one.effect === 'write' && one.targets === undefined);
}

function isWriting(one: Facts & { readonly effect: Effect }): boolean {
  return writesMore(one) || (one.targets ?? []).length > 0;
}

/** What a program writes, from the words that name it; whatever is not certain makes it write more. */
export function targetsIn(
  words: readonly { readonly text: string; readonly literal: boolean; readonly source: string }[],
  { paths, isKnown }: Folders,
): Facts & { readonly targets: readonly WriteTarget[]; readonly writesMore: boolean } {
  const certain = words.filter(({ text, literal }) => literal && text !== '' && (isKnown || /^[/~]/.test(text)));
  return {
    // A tilde in quotes is a name like any other.
    targets: certain.map(({ text, source }) => ({
      path: text.startsWith('~') && !source.startsWith('~') ? `./${text}` : text,
      folders: paths,
    })),
    writesMore: certain.length < words.length,
  };
}
