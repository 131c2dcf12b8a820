import { readFile } from 'node:fs/promises';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { usesOf } from './flags.ts';

const INLINE = ['--append-system-prompt'];
const FROM_FILE = ['--append-system-prompt-file'];

/** The kernel takes at most 128 KiB in one argument; the rest is room for the clause. */
const LONGEST_PROMPT_BYTES = 120_000;

/**
 * The arguments with `clause` at the end of the appended system prompt. Claude Code keeps the last such flag only and
 * refuses a text beside a file, so the user's own is completed where it stands. Throws `usage` when it can't be.
 */
export async function withAppendedPrompt(given: readonly string[], clause: string): Promise<string[]> {
  const inline = usesOf(given, INLINE, 'one').at(-1);
  const fromFile = usesOf(given, FROM_FILE, 'one').at(-1);
  if (inline !== undefined && fromFile !== undefined) {
    throw new HandraiseError('--append-system-prompt and --append-system-prompt-file exclude each other', {
      code: 'usage',
      hint: 'Give Claude Code one of the two; handraise adds its clause to it.',
    });
  }
  const own = inline ?? fromFile;
  if (own === undefined) return [`${INLINE[0]}=${clause}`, ...given];
  const [value] = own.values;
  // Claude Code says best itself that the value is missing.
  if (value === undefined) return [...given];
  const text = inline === undefined ? await readPrompt(value) : value;
  if (Buffer.byteLength(text) > LONGEST_PROMPT_BYTES) {
    throw new HandraiseError('the appended system prompt is too long to add the operator clause to it', {
      code: 'usage',
      hint: `Keep it under ${LONGEST_PROMPT_BYTES} bytes, or move it to CLAUDE.md.`,
    });
  }
  const completed = text.trim() === '' ? clause : `${text.trimEnd()}\n\n${clause}`;
  return [...given.slice(0, own.at), `${INLINE[0]}=${completed}`, ...given.slice(own.at + own.length)];
}

async function readPrompt(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw new HandraiseError(`cannot read the file given to --append-system-prompt-file: ${sentenceOf(thrown)}`, {
      code: 'usage',
      hint: 'Correct its path.',
      cause: thrown,
    });
  }
}
