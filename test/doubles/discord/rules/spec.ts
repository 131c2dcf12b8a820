import type { Issue } from './check.ts';

/** Discord's own description of its bodies, as a second opinion behind our rules. */
export interface Spec {
  /** What is wrong with the body of an operation; nothing when it is not described here. */
  check(operation: string, body: unknown): readonly Issue[];
}

/** Loads the schemas: a development dependency, so `false` where only what is needed to run is installed. */
export async function loadSpec(wanted: boolean): Promise<Spec> {
  if (!wanted) return { check: () => [] };
  const all = await import('discord-api-spec/zod');
  // Callbacks are told apart by their type.
  const schemas: Readonly<Record<string, typeof all.MessageCreateRequestSchema>> = {
    create_message: all.MessageCreateRequestSchema,
    update_message: all.MessageEditRequestPartialSchema,
    callback_4: all.CreateMessageInteractionCallbackRequestSchema,
    callback_5: all.CreateMessageInteractionCallbackRequestSchema,
    callback_6: all.UpdateMessageInteractionCallbackRequestSchema,
    callback_7: all.UpdateMessageInteractionCallbackRequestSchema,
    callback_9: all.ModalInteractionCallbackRequestSchema,
    execute_webhook: all.IncomingWebhookRequestPartialSchema,
    update_webhook_message: all.IncomingWebhookUpdateRequestPartialSchema,
    update_original_webhook_message: all.IncomingWebhookUpdateRequestPartialSchema,
    create_thread: all.CreateTextThreadWithoutMessageRequestSchema,
    create_thread_from_message: all.CreateTextThreadWithMessageRequestSchema,
    update_channel: all.UpdateThreadRequestPartialSchema,
    command: all.ApplicationCommandUpdateRequestSchema,
  };
  return {
    check(operation, body) {
      const result = schemas[operation]?.safeParse(body);
      return (result?.error?.issues ?? []).map(({ path, message }) => ({
        path: path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
        code: 'SPEC',
        message,
      }));
    },
  };
}
