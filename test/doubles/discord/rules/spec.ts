import type { Issue } from './check.ts';

/** Discord's own description of its bodies, as a second opinion behind our rules. */
export interface Spec {
  /** What is wrong with the body of an operation; nothing when it is not described here. */
  check(operation: string, body: unknown): readonly Issue[];
}

interface Schema {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly error?: {
      readonly issues: readonly {
        readonly path: readonly PropertyKey[];
        readonly code: string;
        readonly message: string;
      }[];
    };
  };
}

/** Which published schema a body must fit. Callbacks are chosen by their type. */
const SCHEMAS: Readonly<Record<string, string>> = {
  create_message: 'MessageCreateRequestSchema',
  update_message: 'MessageEditRequestPartialSchema',
  callback_4: 'CreateMessageInteractionCallbackRequestSchema',
  callback_5: 'CreateMessageInteractionCallbackRequestSchema',
  callback_6: 'UpdateMessageInteractionCallbackRequestSchema',
  callback_7: 'UpdateMessageInteractionCallbackRequestSchema',
  callback_9: 'ModalInteractionCallbackRequestSchema',
  execute_webhook: 'IncomingWebhookRequestPartialSchema',
  update_webhook_message: 'IncomingWebhookUpdateRequestPartialSchema',
  update_original_webhook_message: 'IncomingWebhookUpdateRequestPartialSchema',
  create_thread: 'CreateTextThreadWithoutMessageRequestSchema',
  create_thread_from_message: 'CreateTextThreadWithMessageRequestSchema',
  update_channel: 'UpdateThreadRequestPartialSchema',
  command: 'ApplicationCommandUpdateRequestSchema',
};

/** Loads the schemas: a development dependency, so `false` where only what is needed to run is installed. */
export async function loadSpec(wanted: boolean): Promise<Spec> {
  if (!wanted) return { check: () => [] };
  // Named by a variable, since the package ships no types.
  const name: string = 'discord-api-spec/zod';
  const schemas = (await import(name)) as Readonly<Record<string, Schema>>;
  return {
    check(operation, body) {
      const schema = schemas[SCHEMAS[operation] ?? ''];
      if (!schema) return [];
      const { success, error } = schema.safeParse(body);
      if (success) return [];
      return (error?.issues ?? []).map(({ path, message }) => ({
        path: path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
        code: 'SPEC',
        message,
      }));
    },
  };
}
