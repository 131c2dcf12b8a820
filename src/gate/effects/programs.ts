import { CLOUD } from './programs/cloud.ts';
import { CONTAINERS } from './programs/containers.ts';
import { DATABASES } from './programs/databases.ts';
import { FILES } from './programs/files.ts';
import { FORGES } from './programs/forges.ts';
import { GIT } from './programs/git.ts';
import { INTERPRETERS } from './programs/interpreters.ts';
import { NETWORK } from './programs/network.ts';
import { PACKAGES } from './programs/packages.ts';
import { SHELL_BUILTINS } from './programs/shell-builtins.ts';
import { SYSTEM } from './programs/system.ts';
import { TEXT } from './programs/text.ts';
import { WRAPPERS } from './programs/wrappers.ts';
import { reaching } from './reaching.ts';
import { type Judgement, READ, type Rule, type ShellState, unknown, worst } from './rule.ts';
import type { Argument } from './shell/argument.ts';

/** Every table of programs; a program is in one of them. */
export const FAMILIES: readonly Readonly<Record<string, Rule>>[] = [
  SHELL_BUILTINS,
  WRAPPERS,
  FILES,
  TEXT,
  SYSTEM,
  GIT,
  PACKAGES,
  INTERPRETERS,
  CONTAINERS,
  CLOUD,
  FORGES,
  NETWORK,
  DATABASES,
];

const RULES: ReadonlyMap<string, Rule> = new Map(
  FAMILIES.flatMap((family) =>
    Object.entries(family).flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)),
  ),
);

/** Where a program's file may lie to be the one its name says (trust.md B5.4). */
const TRUSTED = /^\/(usr\/(local\/)?)?s?bin\/([\w.+[-]+)$/;

/** Judges a program with its arguments. The first word names it, as the shell would look it up. */
export function judgeProgram(words: readonly Argument[], shell: ShellState): Judgement {
  const [program, ...args] = words;
  if (program === undefined) return READ;
  const own = words.some(({ text }) => namesHandraise(text)) ? HANDRAISE : undefined;
  if (!program.literal) {
    return worst(
      unknown(`which program ${program.source} is cannot be told`, 'dynamic'),
      own,
      ...reaching(args, shell),
    );
  }
  const name = nameOf(program.text);
  if (name === undefined) {
    return worst(unknown(`${program.source} may be any program`), own, ...reaching(args, shell));
  }
  const rule = RULES.get(name);
  if (rule === undefined) return worst(unknown(`${name} is not known`), own, ...reaching(args, shell));
  return worst(rule(args, shell), own);
}

/** The name rules go by; undefined for a file that may be anything. */
function nameOf(text: string): string | undefined {
  if (!text.includes('/')) return text === '' ? undefined : text;
  return TRUSTED.exec(text)?.[3];
}

/** Judges words that may begin with the name of a program, and are nobody's business when they do not. */
export function judgeNamed(words: readonly Argument[], shell: ShellState): Judgement {
  const [program, ...args] = words;
  const rule = program?.literal === true ? RULES.get(program.text) : undefined;
  return rule === undefined ? READ : rule(args, shell);
}

const HANDRAISE = unknown('names handraise’s own commands, files or variables', 'names-handraise');

/** What decides for handraise is not for the agent to touch (product.md "Grant proposals"). */
export function namesHandraise(text: string): boolean {
  return /\bhandraise\b|\bHANDRAISE_[A-Z]|\b(SLACK|DISCORD)_(BOT|APP)_TOKEN/i.test(text);
}
