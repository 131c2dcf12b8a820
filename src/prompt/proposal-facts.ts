import { shownLine } from '../core/fit.ts';
import type { Proposal, ProposedEffect, ProposedProgram } from '../core/proposals/contract.ts';
import type { ProposalView } from '../core/request.ts';
import { starterOf, subAgentIn } from './card-words.ts';
import { withLookAlikesMarked } from './look-alikes.ts';
import { pathFrom } from './proposal-words.ts';

/** One fact on a card: what it is about, and what was found. Everything in it is inert. */
export interface Fact {
  readonly name: string;
  readonly values: readonly { readonly text: string; readonly warning?: string }[];
}

/** How much of them there is room for. */
export interface FactSizes {
  /** Values of one fact. */
  readonly values: number;
  /** Characters of one value, and of the reason. */
  readonly length: number;
  readonly why: number;
}

/** Room for all of what people read: what needs more is reviewed, and not approved from the card. */
export const CARD_FACTS: FactSizes = { values: 12, length: 200, why: 400 };
export const REVIEW_FACTS: FactSizes = { values: 200, length: 1_000, why: 2_000 };

/**
 * What the gate found, in the order in which people need it. `whole` is false when a program, a file or a host had no
 * room: then nothing may be approved where these are shown.
 */
export function proposalFacts(
  { session, proposal }: ProposalView,
  sizes: FactSizes,
): { readonly facts: readonly Fact[]; readonly whole: boolean } {
  let whole = true;
  const shownWithin = (text: string, most: number): string => {
    const shown = shownLine(text, most);
    // What hides is spelled out, so that only the drawing tells whether anything had to go.
    if (shown !== shownLine(text, 20 * most)) whole = false;
    return shown;
  };
  const fact = <T>(name: string, all: readonly T[], drawnAs: (one: T) => Fact['values'][number]): Fact[] => {
    if (all.length === 0) return [];
    const kept = all.slice(0, sizes.values).map((one) => {
      const value = drawnAs(one);
      return { ...value, text: shownWithin(value.text, name === 'Why' ? sizes.why : sizes.length) };
    });
    const more = all.length - kept.length;
    if (more > 0) whole = false;
    return [{ name, values: more === 0 ? kept : [...kept, { text: `and ${more} more` }] }];
  };
  const { reason, part, hosts, cwd, agent, targets, tags, full } = proposal;
  const itself = (text: string) => ({ text });
  const facts = [
    ...fact('Why', [whyOf(reason, part === full.text ? undefined : part)], itself),
    ...fact('Runs', programsOf(proposal), ({ name, effect }) => ({ text: `${marked(name)} (${effect})` })),
    ...fact('Writes', targets, ({ path, inside, later }) => ({
      text: pathFrom(session.workspace, path),
      ...warningOf(inside, later),
    })),
    ...fact('Reaches', hosts, (host) => ({ text: marked(host) })),
    ...fact('Beware', bewareOf(tags), itself),
    ...fact('In', [cwd], (folder) =>
      folder === null ? { text: 'not known', warning: 'the folder it would run in' } : { text: folder },
    ),
    ...fact('Workspace', [session.workspace], itself),
    ...fact('Agent', [whoOf(session.program ?? session.agent, agent, starterOf(session))], itself),
  ];
  return { facts, whole };
}

/** The part stands in the text below, so that it may be short here. */
function whyOf(reason: string, part: string | undefined): string {
  return part === undefined ? reason : `${reason} · ${shownLine(part, 60)}`;
}

const RANK: Readonly<Record<ProposedEffect, number>> = { external: 0, unknown: 1, write: 2, read: 3 };

/** Worst first, each once. Their words stand in the text below; what they are is said by their effect. */
function programsOf({ programs }: Proposal): readonly ProposedProgram[] {
  const known = new Map<string, ProposedProgram>();
  for (const program of programs) {
    const key = `${program.effect}\n${program.name}`;
    if (!known.has(key)) known.set(key, program);
  }
  return [...known.values()].sort((a, b) => RANK[a.effect] - RANK[b.effect]);
}

/** What is longer is cut anyway. */
function marked(name: string): string {
  return withLookAlikesMarked(name.slice(0, MOST_MARKED));
}

const MOST_MARKED = 4_000;

function warningOf(inside: boolean, later: boolean): { warning?: string } {
  const warnings = [...(inside ? [] : ['outside the workspace']), ...(later ? ['decides what runs later'] : [])];
  return warnings.length === 0 ? {} : { warning: warnings.join(', ') };
}

function bewareOf(tags: readonly string[]): readonly string[] {
  return tags.flatMap((tag) => TAG_WORDS[tag] ?? []);
}

/** Tags of the gate that people should know of; the others are said by the facts. */
const TAG_WORDS: Readonly<Record<string, string>> = {
  'code-exec': 'runs code of the project',
  persistence: 'decides what runs later without a question',
  'secret-read': 'reads what is likely to hold a secret',
  dynamic: 'parts of it are decided only when it runs',
  unicode: 'holds characters that hide or look like others',
  unparseable: 'cannot be read as a shell would read it',
  'too-large': 'too large to be judged',
};

function whoOf(program: string, agent: Proposal['agent'], startedBy: string): string {
  return `${shownLine(program, 60)}${subAgentIn(agent)}, started by ${shownLine(startedBy, 60)}`;
}
