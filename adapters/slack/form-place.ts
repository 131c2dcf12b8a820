import * as z from 'zod';

/** What a modal carries through Slack: which request, and which card it was opened from. Nothing that is trusted. */
export interface FormPlace {
  readonly requestId: string;
  readonly channel?: string;
  readonly message?: string;
}

const metadata = z.object({
  v: z.literal(1),
  request: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  channel: z.string().max(64).optional(),
  message: z.string().max(64).optional(),
});

export function metadataOf({ requestId, channel, message }: FormPlace): string {
  return JSON.stringify({ v: 1, request: requestId, channel, message });
}

/** Undefined for what no version of this adapter wrote. */
export function placeIn(text: string): FormPlace | undefined {
  const parsed = metadata.safeParse(asJson(text));
  if (!parsed.success) return undefined;
  const { request, channel, message } = parsed.data;
  return {
    requestId: request,
    ...(channel === undefined ? {} : { channel }),
    ...(message === undefined ? {} : { message }),
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it, and the person is told.
    return undefined;
  }
}
