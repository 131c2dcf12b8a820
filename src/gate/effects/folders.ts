import { posix } from 'node:path';
import type { Argument } from './shell/argument.ts';

/** Where a script may be, as its `cd` leave it: relative to where it began, absolute, or below `~`. */
export interface Folders {
  readonly paths: readonly string[];
  /** False after a change to somewhere that cannot be told: `paths` are guesses then. */
  readonly isKnown: boolean;
}

/** More places than people write; beyond them nothing is known. */
const MOST = 16;

export function startingIn(cwd = ''): Folders {
  return { paths: [cwd], isKnown: true };
}

/** Where a program leaves the script when it succeeds. */
export function foldersAfter(from: Folders, [program, ...args]: readonly Argument[]): Folders {
  if (program === undefined || !/^(cd|pushd|popd)$/.test(program.text)) return from;
  const [target] = args.filter(({ text }, at) => !/^-[LPe@n]+$|^--$/.test(text) || args[at - 1]?.text === '--');
  if (target === undefined && program.text === 'cd') return { paths: ['~'], isKnown: from.isKnown };
  if (target === undefined || program.text === 'popd' || /^[-+]/.test(target.text)) return { ...from, isKnown: false };
  const paths = [...new Set(from.paths.flatMap((path) => placesOf(target).map((to) => joined(path, to))))];
  return { paths: paths.slice(0, MOST), isKnown: from.isKnown && target.literal && paths.length <= MOST };
}

export function eitherOf(one: Folders, other: Folders): Folders {
  if (one === other) return one;
  const paths = [...new Set([...one.paths, ...other.paths])];
  return { paths: paths.slice(0, MOST), isKnown: one.isKnown && other.isKnown && paths.length <= MOST };
}

/** The word as a path, from every folder that it may be in. */
export function pathsOf(word: Argument, { paths }: Folders): readonly string[] {
  return paths.flatMap((path) => placesOf(word).map((place) => joined(path, place)));
}

function placesOf({ text, pattern }: Argument): readonly string[] {
  return pattern === undefined ? [text] : [text, pattern];
}

function joined(folder: string, path: string): string {
  if (folder === '' || /^[/~]/.test(path)) return path;
  // A folder that is named with its last letter: what is in it is below it.
  return `${posix.join(folder, path)}${path === '' || path === '.' ? '/' : ''}`;
}
