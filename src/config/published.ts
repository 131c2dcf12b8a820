import * as z from 'zod';
import type { LinkedPerson } from '../core/policy/identities.ts';
import { publishedGate } from './gate.ts';
import { approvableBy } from './grant-terms.ts';
import type { Binding } from './schema.ts';

/**
 * What owners need to know of a binding. Who may answer and where the cards go stays with the gateway: an owner's word
 * about either would be the agent's.
 */
const publishedBinding = z.object({
  // Strict on purpose: a pattern that is not understood would match runs it is not meant for.
  match: z.partialRecord(z.enum(['workspace', 'session', 'agent', 'branch']), z.string()),
  mode: z.enum(['ask', 'deny']),
  waitMs: z.int().positive(),
  /** On how many surfaces a card goes. */
  surfaces: z.int().nonnegative(),
  /** Why no card can be posted at the moment, and what to do about it; for whoever starts an agent. */
  refused: z.string().optional(),
  /** How long proposals wait, and whether anybody may approve one; absent from gateways that know no proposals. */
  grants: z
    .object({
      waitMs: z.int().positive(),
      approvable: z.boolean(),
      /** Where more is known: of steps that reach outside. `approvable` is then of the others. */
      external: z.boolean().optional(),
    })
    .optional(),
});

const publication = z.object({
  v: z.literal(1),
  gatewayId: z.string(),
  platform: z.string(),
  /** Milliseconds since the epoch by the store's clock: an old one is somebody's copy. */
  issuedAt: z.int(),
  bindings: z.array(publishedBinding),
  /** Absent from gateways that know no gate: its defaults, which ask about everything. */
  gate: publishedGate.optional(),
});

export type PublishedBinding = z.output<typeof publishedBinding>;

/** What a gateway says about itself, once its signature is verified (`gateway/signed-leases.ts`). */
export type Publication = z.output<typeof publication>;

/** What a gateway's lease says, to be signed. `refusedFor`: why nothing can be posted for a binding, if that is so. */
export function publish(
  about: Pick<Publication, 'gatewayId' | 'platform' | 'issuedAt' | 'gate'>,
  bindings: readonly Binding[],
  refusedFor: (binding: Binding) => string | undefined,
  people?: readonly LinkedPerson[],
): string {
  const published = bindings.map((binding): PublishedBinding => {
    const refused = refusedFor(binding);
    return {
      match: binding.match,
      mode: binding.questions.mode,
      waitMs: binding.questions.waitMs,
      surfaces: [binding.slack, binding.discord].filter((place) => place !== undefined).length,
      ...(refused === undefined ? {} : { refused }),
      ...(binding.grants === undefined ? {} : { grants: publishedGrants(binding, binding.grants.waitMs, people) }),
    };
  });
  return JSON.stringify({ v: 1, ...about, bindings: published } satisfies Publication);
}

function publishedGrants(binding: Binding, waitMs: number, people: readonly LinkedPerson[] | undefined) {
  const { write, external } = approvableBy(binding, people);
  return { waitMs, approvable: write, external };
}

/** What a gateway published, or undefined when it is not understood: a newer version's, or somebody else's text. */
export function readPublished(text: string): Publication | undefined {
  try {
    return publication.parse(JSON.parse(text));
  } catch {
    // The caller tells people that the gateway cannot be understood.
    return undefined;
  }
}
