import { decisive, type Effect, type EffectTag, type Finding } from './effect.ts';
import type { RunProgram, WriteTarget } from './facts.ts';
import { startingIn } from './folders.ts';
import { namesHandraise } from './programs.ts';
import { type Budget, judgementOf } from './rule.ts';
import { refusalToParse } from './shell/limits.ts';
import { parseShell } from './shell/parse.ts';
import { type Place, ScriptWalk } from './walk.ts';

/** What a shell command would do. */
export interface Classification {
  readonly effect: Effect;
  /** For people: what made it so. */
  readonly reason: string;
  /** The part of the command that decided. */
  readonly part: string;
  readonly tags: readonly EffectTag[];
  /** Every program in it, each once; wrappers and what they start, too. */
  readonly programs: readonly RunProgram[];
  /** What it writes, as far as its words name it. */
  readonly targets: readonly WriteTarget[];
  /** It writes more than that. */
  readonly writesMore: boolean;
  /** Machines that it names. */
  readonly hosts: readonly string[];
}

/** Scripts inside scripts (`sh -c`) are followed so deep. */
const MAX_DEPTH = 3;

/** Most programs and scripts judged for one command, wrappers of wrappers included: what a text can make grow. */
const MAX_JUDGEMENTS = 3_000;

/**
 * Classifies a command as bash would run it: the highest effect of everything in it. Only what is known to read is a
 * read; whatever cannot be told is `unknown`. Never throws; a text that is too large, hides characters or does not parse
 * is `unknown`. Looks at the text only: not at files, `PATH` or configuration.
 */
export function classifyCommand(text: string, cwd?: string): Classification {
  const budget: Budget = { left: MAX_JUDGEMENTS, depth: 0 };
  const found = classifyAt(text, 0, budget, { moved: false, folders: startingIn(cwd) });
  const { programs = [], targets = [], hosts = [], writesMore } = found;
  const isUntold = writesMore ?? found.effect === 'write';
  const facts = { programs: eachOnce(programs), targets, hosts: [...new Set(hosts)], writesMore: isUntold };
  if (budget.left > 0) return { ...shortOf(found), ...facts };
  const reason = `more than ${MAX_JUDGEMENTS} commands within commands`;
  return { ...shortOf(plain('unknown', reason, text, 'too-large', ...found.tags)), ...facts };
}

function shortOf({ effect, reason, part, tags }: Finding) {
  return { effect, reason, part, tags };
}

function eachOnce(programs: readonly RunProgram[]): readonly RunProgram[] {
  const known = new Map<string, RunProgram>();
  for (const program of programs) {
    const key = `${program.effect}\n${program.name}\n${program.text}`;
    if (!known.has(key)) known.set(key, program);
  }
  return [...known.values()];
}

function classifyAt(text: string, depth: number, budget: Budget, from: Place): Finding {
  const refused = refusalToParse(text);
  if (refused !== undefined) return plain('unknown', refused.reason, text, refused.tag);
  const parsed = parseShell(text);
  if ('fault' in parsed) return plain('unknown', parsed.fault, text, 'unparseable');
  const walk = new ScriptWalk(
    (inner, place) =>
      depth >= MAX_DEPTH
        ? { effect: 'unknown', reason: `scripts within scripts deeper than ${MAX_DEPTH}` }
        : judgementOf(classifyAt(inner, depth + 1, budget, place)),
    budget,
    from,
  );
  walk.script(parsed.script);
  const found = decisive(walk.findings, plain('read', 'does nothing', text));
  return namesHandraise(text) ? { ...found, tags: [...new Set([...found.tags, 'names-handraise' as const])] } : found;
}

function plain(effect: Effect, reason: string, part: string, ...tags: EffectTag[]): Finding {
  return { effect, reason, part, tags: [...new Set(tags)] };
}
