import * as z from 'zod';

/**
 * The parts of Slack's interaction payloads that are read. Everything else is ignored on purpose, above all the message's
 * own text and blocks. Ids are opaque strings (U…, W…, T…, E…); on Grid `team` may be null.
 */
const id = z.string().min(1).max(64);
const person = z.object({ id, team_id: id.nullish(), name: z.string().nullish(), username: z.string().nullish() });
const origin = {
  user: person,
  team: z.object({ id, enterprise_id: id.nullish() }).nullish(),
  enterprise: z.object({ id }).nullish(),
};

export const blockActions = z.object({
  type: z.literal('block_actions'),
  ...origin,
  trigger_id: z.string().min(1),
  response_url: z.url().nullish(),
  container: z.object({ message_ts: id.nullish(), channel_id: id.nullish(), thread_ts: id.nullish() }).nullish(),
  channel: z.object({ id }).nullish(),
  message: z.object({ ts: id, thread_ts: id.nullish() }).nullish(),
  actions: z
    .array(z.object({ action_id: z.string(), value: z.string().nullish(), action_ts: z.string().nullish() }))
    .min(1),
});
export type BlockActions = z.output<typeof blockActions>;

/** The wrapper of an Events API event. Its `authorizations` are not read: one app, one installation. */
export const homeOpened = z.object({
  type: z.literal('event_callback'),
  event_id: id,
  team_id: id.nullish(),
  enterprise_id: id.nullish(),
  event: z.object({ type: z.literal('app_home_opened'), user: id, tab: z.string().nullish() }),
});

const chosen = z.object({ value: z.string() });
const element = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: chosen.nullish(),
  selected_options: z.array(chosen).nullish(),
});

/** `state.values`: block id → action id → what was filled in. */
const formState = z.record(z.string(), z.record(z.string(), element));
export type FormState = z.output<typeof formState>;

export const viewSubmission = z.object({
  type: z.literal('view_submission'),
  ...origin,
  view: z.object({
    id,
    callback_id: z.string(),
    private_metadata: z.string(),
    state: z.object({ values: formState }),
  }),
});
export type ViewSubmission = z.output<typeof viewSubmission>;

/** Whoever acted, as the signed payload says. */
export type Origin = Pick<BlockActions, 'user' | 'team' | 'enterprise'>;
