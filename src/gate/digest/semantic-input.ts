/**
 * Members of a tool's input that change nothing about what happens: what the agent says it is for, and how long it would
 * wait. By tool: another tool's `description` may well be what it writes.
 */
const SAYS_NOTHING: Readonly<Record<string, readonly string[]>> = {
  Bash: ['description', 'timeout'],
};

/** The input without what is only said about it; the very same value where nothing is. */
export function semanticInput(tool: string, input: unknown): unknown {
  const idle = SAYS_NOTHING[tool];
  if (idle === undefined || typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([member]) => !idle.includes(member)));
}
