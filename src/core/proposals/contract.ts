import * as z from 'zod';
import type { SubAgent } from '../sub-agent.ts';

/** What a step would do, worst last. `read` is proposed only where a setting asks about reads (secrets, fetches). */
export const EFFECTS = ['read', 'write', 'unknown', 'external'] as const;
export type ProposedEffect = (typeof EFFECTS)[number];

/** How long a grant lasts. */
export const SCOPES = ['turn', 'action', 'session'] as const;
export type Scope = (typeof SCOPES)[number];

/** This one call · every call of the same digest · every write whose targets are all inside the workspace. */
export const COVERS = ['this-call', 'same-digest', 'workspace-writes'] as const;

/**
 * A grant as it would be stored if its button were pressed: the words on the button are made from it and from nothing
 * else (`prompt/offer-words.ts`).
 */
export interface Offer {
  readonly scope: Scope;
  readonly covers: (typeof COVERS)[number];
  /** Milliseconds since the epoch when it ends, whatever else. */
  readonly endsAt?: number;
  /** What it lasts for, as people are told: `this call`, `this turn`, `this run`, `this session`. */
  readonly lifetimeWords: string;
  /** It takes a second step of the person: for what cannot be taken back. */
  readonly confirm: boolean;
}

/** A program the step runs, and the words of the command that run it. */
export interface ProposedProgram {
  readonly name: string;
  readonly effect: ProposedEffect;
  readonly text: string;
}

/** A file or folder the step writes. */
export interface ProposedTarget {
  /** Resolved, absolute. */
  readonly path: string;
  /** Beneath the workspace. */
  readonly inside: boolean;
  /** It decides what runs later without a question: hooks, agent settings, package scripts. */
  readonly later: boolean;
}

/** Everything that will run or be written, to the letter: also a secret that stands in it. */
export type FullText =
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'diff'; readonly path: string; readonly text: string }
  /** The input of a tool that is known by its name only, as JSON. */
  | { readonly kind: 'input'; readonly text: string };

/**
 * A step of an agent that is put to people before it is done. Facts that the gate found, never the agent's word but for
 * `full` (which is what will run) and `agentSays`. Platform-neutral and serialisable; it is what is signed for.
 */
export interface Proposal {
  /** The agent's name for the tool: `Bash`, `Edit`, `mcp__db__query`. */
  readonly tool: string;
  readonly effect: ProposedEffect;
  /** The gate's tags (`gate/effects/effect.ts`), such as `code-exec`. */
  readonly tags: readonly string[];
  /** Why it is of that effect, in the gate's words. */
  readonly reason: string;
  /** The part of the command that decided. */
  readonly part?: string;
  readonly programs: readonly ProposedProgram[];
  readonly targets: readonly ProposedTarget[];
  readonly hosts: readonly string[];
  /** Where it runs; null when that is not known. */
  readonly cwd: string | null;
  /** The sub-agent that wants it, where it is not the main one. */
  readonly agent?: SubAgent;
  readonly full: FullText;
  /** What the agent says it is for. Not verified. */
  readonly agentSays?: string;
  /** Digest of what will run (lower-case hex, salted): the owner makes it anew before it lets the step run. */
  readonly digest: string;
  /** What people may grant; refusing is always possible. */
  readonly offers: readonly Offer[];
}

const text = z.string();
const effect = z.enum(EFFECTS);

const offer: z.ZodType<Offer> = z.object({
  scope: z.enum(SCOPES),
  covers: z.enum(COVERS),
  endsAt: z.int().positive().exactOptional(),
  lifetimeWords: text,
  confirm: z.boolean(),
} satisfies Record<keyof Offer, z.ZodType>);

/** Reads a stored proposal. Members it does not know are dropped. */
export const proposalSchema: z.ZodType<Proposal> = z.object({
  tool: text,
  effect,
  tags: z.array(text),
  reason: text,
  part: text.exactOptional(),
  programs: z.array(z.object({ name: text, effect, text })),
  targets: z.array(z.object({ path: text, inside: z.boolean(), later: z.boolean() })),
  hosts: z.array(text),
  cwd: text.nullable(),
  agent: z.object({ id: text, type: text }).exactOptional(),
  full: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('command'), text }),
    z.object({ kind: z.literal('diff'), path: text, text }),
    z.object({ kind: z.literal('input'), text }),
  ]),
  agentSays: text.exactOptional(),
  digest: text,
  offers: z.array(offer),
} satisfies Record<keyof Proposal, z.ZodType>);

/**
 * What may really be granted: an external step is one's own decision each time, whatever its proposal offers. Every place
 * that draws, judges or signs an offer takes it from here.
 */
export function offersOf({ effect, offers }: Pick<Proposal, 'effect' | 'offers'>): readonly Offer[] {
  return effect === 'external'
    ? offers.filter(({ scope, covers }) => scope === 'action' && covers === 'this-call')
    : offers;
}

/** The longest note with a refusal, in code points. */
export const MOST_NOTE = 4_000;
