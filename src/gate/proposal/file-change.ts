import { readFile, stat } from 'node:fs/promises';
import * as z from 'zod';
import { unifiedDiff } from './diff.ts';

/** Bytes of a file whose change is shown; that of a larger one is shown as the tool's input. */
const MOST_BYTES = 1_048_576;

const edit = z.object({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().optional() });
const changes = {
  Write: z.object({ content: z.string() }),
  Edit: edit,
  MultiEdit: z.object({ edits: z.array(edit).min(1) }),
} as const;

/**
 * What a file tool would change in the file as it is now, as a diff. Undefined for what is no such tool, for a file that
 * cannot be shown as text, and where the tool would not do what its input says.
 */
export async function fileChange(tool: string, input: unknown, path: string): Promise<string | undefined> {
  const before = await contentOf(path);
  if (before === undefined) return undefined;
  const after = changedBy(tool, input, before);
  return after === undefined ? undefined : unifiedDiff(before, after);
}

/** Empty for a file that is not there. */
async function contentOf(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MOST_BYTES) return undefined;
    const bytes = await readFile(path);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (thrown) {
    // Not there: all of it is new. Anything else, text of another encoding too: no diff, so the input is shown.
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
  }
}

function changedBy(tool: string, input: unknown, before: string): string | undefined {
  switch (tool) {
    case 'Write':
      return changes.Write.safeParse(input).data?.content;
    case 'Edit': {
      const read = changes.Edit.safeParse(input).data;
      return read === undefined ? undefined : edited(before, read);
    }
    case 'MultiEdit': {
      const read = changes.MultiEdit.safeParse(input).data;
      return read?.edits.reduce<string | undefined>(
        (text, one) => (text === undefined ? undefined : edited(text, one)),
        before,
      );
    }
    default:
      return undefined;
  }
}

function edited(before: string, { old_string: old, new_string: fresh, replace_all: all }: z.output<typeof edit>) {
  // An empty one makes a new file.
  if (old === '') return before === '' ? fresh : undefined;
  const parts = before.split(old);
  if (parts.length === 1 || (parts.length > 2 && all !== true)) return undefined;
  return parts.join(fresh);
}
