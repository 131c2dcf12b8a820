import type { Actor } from '../actor.ts';

/** The ids of one person on several platforms, as the gateway's configuration says (`people`). */
export type LinkedPerson = Readonly<Partial<Record<Actor['platform'], string>>>;

/** A person's id in one text, such as `slack:U01`, as `run --as` takes it. */
export type PersonId = `${Actor['platform']}:${string}`;

/** What counts as one person: the same text for each of their linked ids. */
export function personOf(
  { platform, userId }: Pick<Actor, 'platform' | 'userId'>,
  people: readonly LinkedPerson[] = [],
): PersonId {
  return canonical(`${platform}:${userId}`, people);
}

/** Whether it is the person who is said to have started the run. Nobody is where nobody is named. */
export function isRequester(
  actor: Pick<Actor, 'platform' | 'userId'>,
  requester: string | undefined,
  people: readonly LinkedPerson[] = [],
): boolean {
  return requester !== undefined && personOf(actor, people) === canonical(requester, people);
}

function canonical(id: string, people: readonly LinkedPerson[]): PersonId {
  const known = people.map(idsOf).find((ids) => ids.includes(id as PersonId));
  return known?.[0] ?? (id as PersonId);
}

function idsOf({ slack, discord, local }: LinkedPerson): PersonId[] {
  return [
    ...(slack === undefined ? [] : [`slack:${slack}` as const]),
    ...(discord === undefined ? [] : [`discord:${discord}` as const]),
    ...(local === undefined ? [] : [`local:${local}` as const]),
  ];
}
