import * as z from 'zod';

/**
 * The parts of Discord's interactions that are read. Everything else is ignored on purpose, above all the message's own
 * texts and components. Ids are snowflakes in strings.
 */
const id = z.string().regex(/^\d{1,20}$/);
const user = z.object({
  id,
  username: z.string(),
  global_name: z.string().nullish(),
  bot: z.boolean().nullish(),
  system: z.boolean().nullish(),
});
const member = z.object({
  user,
  nick: z.string().nullish(),
  roles: z.array(id),
  pending: z.boolean().nullish(),
  flags: z.int().nullish(),
  /** What the member may do where the interaction happened, as a bit set. */
  permissions: id.nullish(),
});

const origin = {
  id,
  application_id: id,
  token: z.string().min(1),
  guild_id: id.nullish(),
  channel_id: id.nullish(),
  channel: z.object({ id, parent_id: id.nullish() }).nullish(),
  member: member.nullish(),
  user: user.nullish(),
  message: z.object({ id }).nullish(),
};

/** InteractionType.ApplicationCommand. */
const commandUse = z.object({ type: z.literal(2), ...origin, data: z.object({ name: z.string() }) });

/** InteractionType.MessageComponent. */
const componentClick = z.object({
  type: z.literal(3),
  ...origin,
  data: z.object({ custom_id: z.string(), values: z.array(z.string()).nullish() }),
});

/** InteractionType.ModalSubmit. */
const modalSubmit = z.object({
  type: z.literal(5),
  ...origin,
  data: z.object({
    custom_id: z.string(),
    components: z.array(
      z.object({
        component: z
          .object({
            type: z.int(),
            custom_id: z.string(),
            value: z.string().nullish(),
            values: z.array(z.string()).nullish(),
          })
          .nullish(),
      }),
    ),
  }),
});

export const interaction = z.discriminatedUnion('type', [commandUse, componentClick, modalSubmit]);

export type CommandUse = z.output<typeof commandUse>;
export type ComponentClick = z.output<typeof componentClick>;
export type ModalSubmit = z.output<typeof modalSubmit>;
export type Interaction = z.output<typeof interaction>;

/** Discord's epoch: the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000;

/** When Discord made this id, by its own clock. */
export function timeOf(snowflake: string): number {
  return Number(BigInt(snowflake) >> 22n) + EPOCH_MS;
}
