import { shownLine } from '../core/fit.ts';
import type { Proposal, ProposedEffect, ProposedProgram } from '../core/proposals/contract.ts';
import type { ProposalView } from '../core/request.ts';
import { lengthOf } from '../core/text.ts';
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
  /** Characters of one value. */
  readonly length: number;
}

/** Room for all of what people read: what needs more is reviewed, and not approved from the card. */
export const CARD_FACTS: FactSizes = { values: 12, length: 160 };
export const REVIEW_FACTS: FactSizes = { values: 200, length: 1_000 };

/**
 * What the gate found, in the order in which people need it. `whole` is false when a program, a file or a host had no
 * room: then nothing may be approved where these are shown.
 */
export function proposalFacts(
  { session, proposal }: ProposalView,
  sizes: FactSizes,
): { readonly facts: readonly Fact[]; readonly whole: boolean } {
  let whole = true;
  const fact = (name: string, values: Fact['values']): Fact[] => {
    if (values.length === 0) return [];
    if (values.length > sizes.values || values.some(({ text }) => lengthOf(text) > sizes.length)) whole = false;
    const kept = values
      .slice(0, sizes.values)
      .map((value) => ({ ...value, text: shownLine(value.text, sizes.length) }));
    const more = values.length - kept.length;
    return [{ name, values: more === 0 ? kept : [...kept, { text: `and ${more} more` }] }];
  };
  const { reason, part, hosts, cwd, agent, targets } = proposal;
  const facts = [
    ...fact('Why', [{ text: whyOf(reason, part === proposal.full.text ? undefined : part) }]),
    ...fact('Runs', programsOf(proposal)),
    ...fact(
      'Writes',
      targets.map(({ path, inside, later }) => ({
        text: pathFrom(session.workspace, path),
        ...warningOf(inside, later),
      })),
    ),
    ...fact(
      'Reaches',
      hosts.map((text) => ({ text: withLookAlikesMarked(text) })),
    ),
    ...fact('Beware', bewareOf(proposal.tags)),
    ...fact('In', [cwd === null ? { text: 'not known', warning: 'the folder it would run in' } : { text: cwd }]),
    ...fact('Workspace', [{ text: session.workspace }]),
    ...fact('Agent', [
      { text: `${whoOf(session.program ?? session.agent, agent)}, started by ${shownLine(session.startedBy, 40)}` },
    ]),
  ];
  return { facts, whole };
}

/** A reason that was cut would mislead nobody, so that it may be short; the part stands in the text below. */
function whyOf(reason: string, part: string | undefined): string {
  const short = shownLine(reason, 120);
  return part === undefined ? short : `${short} · ${shownLine(part, 30)}`;
}

const RANK: Readonly<Record<ProposedEffect, number>> = { external: 0, unknown: 1, write: 2, read: 3 };

/** Worst first. The words of a program stand in the text below; what they are is said by its effect. */
function programsOf({ programs }: Proposal): Fact['values'] {
  const known = new Map<string, ProposedProgram>();
  for (const program of programs) {
    const key = `${program.name}\n${program.effect}`;
    if (!known.has(key)) known.set(key, program);
  }
  return [...known.values()]
    .sort((a, b) => RANK[a.effect] - RANK[b.effect])
    .map(({ name, effect }) => ({ text: `${withLookAlikesMarked(name)} (${effect})` }));
}

function warningOf(inside: boolean, later: boolean): { warning?: string } {
  const warnings = [...(inside ? [] : ['outside the workspace']), ...(later ? ['decides what runs later'] : [])];
  return warnings.length === 0 ? {} : { warning: warnings.join(', ') };
}

function bewareOf(tags: readonly string[]): Fact['values'] {
  return tags.flatMap((tag) => (TAG_WORDS[tag] === undefined ? [] : [{ text: TAG_WORDS[tag] }]));
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

function whoOf(program: string, agent: Proposal['agent']): string {
  const main = shownLine(program, 60);
  return agent === undefined
    ? main
    : `${main}, its sub-agent ${shownLine(agent.type, 40)} (${shownLine(agent.id, 20)})`;
}
