/** A member of a tool's input of its own, whatever that is. */
export function memberOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Those that are texts and not empty. */
export function textsOf(input: unknown, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const member = memberOf(input, name);
    return typeof member === 'string' && member !== '' ? [member] : [];
  });
}

/**
 * The text that a shell gets. A list of words is what a program gets: `bash -lc TEXT` is TEXT, anything else is quoted
 * word by word. Undefined for what is neither.
 */
export function commandOf(member: unknown): string | undefined {
  if (typeof member === 'string') return member;
  if (!Array.isArray(member) || member.length === 0 || !member.every((word) => typeof word === 'string')) {
    return undefined;
  }
  const [program = '', flag = '', text, ...rest] = member as string[];
  const isShell = /^(\/(usr\/)?bin\/)?(ba|z|da)?sh$/.test(program) && /^-l?c$/.test(flag);
  if (isShell && text !== undefined && rest.length === 0) return text;
  return (member as string[]).map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
