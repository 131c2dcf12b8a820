import * as z from 'zod';

const content = z.array(z.looseObject({ type: z.string() }));
const parent = { parent_tool_use_id: z.string().nullish() };

const init = z.looseObject({
  type: z.literal('system'),
  subtype: z.literal('init'),
  session_id: z.string(),
  tools: z.array(z.string()),
  mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })),
});
const assistant = z.looseObject({ type: z.literal('assistant'), message: z.looseObject({ content }), ...parent });
const user = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ content: z.union([z.string(), content]) }),
  ...parent,
});
const result = z.looseObject({
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  result: z.string().optional(),
  terminal_reason: z.string().optional(),
  session_id: z.string(),
  permission_denials: z.array(z.looseObject({ tool_name: z.string() })),
});

/** One line of Claude Code's `--output-format stream-json`; kinds that no test looks at are `other`. */
export type StreamEvent =
  | z.infer<typeof init>
  | z.infer<typeof assistant>
  | z.infer<typeof user>
  | z.infer<typeof result>
  | { type: 'other'; event: unknown };

const known = z.union([init, assistant, user, result]);

/** Undefined for a line that is not JSON: plain output shares stdout with the events. */
export function parseStreamEvent(line: string): StreamEvent | undefined {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    // Plain output, which stays readable in the exit's stdout.
    return undefined;
  }
  return known.safeParse(event).data ?? { type: 'other', event };
}
