/** The package ships its schemas without types. */
declare module 'discord-api-spec/zod' {
  interface Schema {
    safeParse(value: unknown): {
      readonly success: boolean;
      readonly error?: {
        readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
      };
    };
  }
  export const MessageCreateRequestSchema: Schema;
  export const MessageEditRequestPartialSchema: Schema;
  export const CreateMessageInteractionCallbackRequestSchema: Schema;
  export const UpdateMessageInteractionCallbackRequestSchema: Schema;
  export const ModalInteractionCallbackRequestSchema: Schema;
  export const IncomingWebhookRequestPartialSchema: Schema;
  export const IncomingWebhookUpdateRequestPartialSchema: Schema;
  export const CreateTextThreadWithoutMessageRequestSchema: Schema;
  export const CreateTextThreadWithMessageRequestSchema: Schema;
  export const UpdateThreadRequestPartialSchema: Schema;
  export const ApplicationCommandUpdateRequestSchema: Schema;
  export const MessageResponseSchema: Schema;
}
