/**
 * The files that a patch of Codex's own form adds, changes, deletes or moves. Undefined for anything else: then nobody can
 * tell what it writes.
 */
export function filesOfPatch(text: string): readonly string[] | undefined {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n');
  if (lines[0]?.trim() !== '*** Begin Patch' || lines.at(-1)?.trim() !== '*** End Patch') return undefined;
  const files = new Set<string>();
  for (const line of lines) {
    const [, path] = HEADER.exec(line) ?? [];
    if (path !== undefined) files.add(path.trim());
    // A header that is not understood may name one more file.
    else if (line.startsWith('***') && !MARKS.has(line.trim())) return undefined;
  }
  return files.size === 0 || files.has('') ? undefined : [...files];
}

const HEADER = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*)$/;
const MARKS: ReadonlySet<string> = new Set(['*** Begin Patch', '*** End Patch', '*** End of File']);
