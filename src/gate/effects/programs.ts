import { hostsOf } from './hosts.ts';
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
import { WRITERS } from './programs/writers.ts';
import { reaching } from './reaching.ts';
import { type Judgement, READ, type Rule, type ShellState, unknown, worst } from './rule.ts';
import type { Argument } from './shell/argument.ts';

/** Every table of programs; a program is in one of them. */
export const FAMILIES: readonly Readonly<Record<string, Rule>>[] = [
  SHELL_BUILTINS,
  WRAPPERS,
  FILES,
  WRITERS,
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
  const isOwn = words.some(({ text, paths = [] }) => namesHandraise(text) || paths.some(isOwnFolder));
  return isOwn ? worst(HANDRAISE, withFacts(words, shell)) : withFacts(words, shell);
}

/** With the program itself among the facts. */
function withFacts(words: readonly Argument[], shell: ShellState): Judgement {
  const [program, ...args] = words;
  if (program === undefined) return READ;
  const judged = judgeCalled(program, args, shell);
  const name = program.literal ? program.text : program.source;
  const text = wordsOf(words);
  return {
    ...judged,
    programs: [{ name, effect: judged.effect, text }, ...(judged.programs ?? [])],
    hosts: [...hostsOf(name.replace(/^.*\//, ''), args, judged), ...(judged.hosts ?? [])],
    writesMore: judged.writesMore ?? (judged.effect === 'write' && judged.targets === undefined),
  };
}

/** Characters of a program's words: what runs is shown whole elsewhere. */
const MOST_OF_WORDS = 500;

function wordsOf(words: readonly Argument[]): string {
  let text = '';
  for (const { source } of words) {
    text += text === '' ? source : ` ${source}`;
    if (text.length > MOST_OF_WORDS) return `${text.slice(0, MOST_OF_WORDS)}…`;
  }
  return text;
}

function judgeCalled(program: Argument, args: readonly Argument[], shell: ShellState): Judgement {
  if (!program.literal) {
    // `$(which git)` and `gi${x}t` are most likely what they look like.
    const [, looked = program.text] = /\b(?:which|command -v|type -p)\s+([\w.-]+)/.exec(program.source) ?? [];
    const likely = RULES.get(looked)?.(args, shell);
    return worst(
      unknown(`which program ${program.source} is cannot be told`, 'dynamic'),
      likely?.effect === 'external' ? likely : undefined,
      ...reaching(args, shell),
    );
  }
  const name = nameOf(program.text);
  const rule = name === undefined ? undefined : RULES.get(name);
  if (rule !== undefined) return rule(args, shell);
  const reason = name === undefined ? `${program.source} may be any program` : `${name} is not known`;
  // It may well be what it is called, or do what it is told.
  const likely = RULES.get(program.text.replace(/^.*\//, ''))?.(args, shell);
  return worst(
    unknown(reason),
    likely?.effect === 'external' ? likely : undefined,
    args.some(({ text }) => /^(publish|deploy)$/.test(text)) ? PUBLISHES : undefined,
    ...reaching(args, shell),
  );
}

const PUBLISHES: Judgement = { effect: 'external', reason: 'may publish or deploy', tags: ['network'] };

/** The name rules go by; undefined for a file that may be anything. */
function nameOf(text: string): string | undefined {
  if (!text.includes('/')) return text === '' ? undefined : text;
  return TRUSTED.exec(text)?.[3];
}

/** Judges words that may begin with the name of a program, and are nobody's business when they do not. */
export function judgeNamed(words: readonly Argument[], shell: ShellState): Judgement {
  const [program] = words;
  const isProgram = program?.literal === true && RULES.has(nameOf(program.text) ?? '');
  return isProgram ? withFacts(words, shell) : READ;
}

/** Where handraise keeps its own, whatever is named in it. */
function isOwnFolder(path: string): boolean {
  return /(^|\/)(\.config|\.local\/state)\/handraise(\/|$)/.test(path);
}

const HANDRAISE = unknown('names handraise’s own commands, files or variables', 'names-handraise');

/** What decides for handraise is not for the agent to touch (product.md "Grant proposals"). */
export function namesHandraise(text: string): boolean {
  return /\bhandraise\b|\bHANDRAISE_[A-Z]|\b(SLACK|DISCORD)_(BOT|APP)_TOKEN/i.test(text);
}
