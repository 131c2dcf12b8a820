import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { shellText } from './shell-words.ts';

/** The step that a script wants to take. */
interface ProposedCommand {
  readonly command: string;
  /** The folder it is to run in. */
  readonly cwd: string;
  /** What the script says it is for; shown last, as not verified. */
  readonly description?: string;
}

const input = z.strictObject({
  command: z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' }),
  cwd: z.string({ error: 'must be a path' }).regex(/^\//, { error: 'must be an absolute path' }).optional(),
  description: z.string({ error: 'must be a text' }).optional(),
});

/** The command line's own words, or JSON from standard input. Throws `usage` with what to change. */
export async function readCommand(words: readonly string[], cwd: string): Promise<ProposedCommand> {
  if (words.length > 0) {
    const command = shellText(words);
    if (command.trim() === '') throw usage('the command is empty');
    return { command, cwd };
  }
  if (process.stdin.isTTY) throw usage('no command is named');
  let value: unknown;
  try {
    value = JSON.parse(await text(process.stdin));
  } catch (thrown) {
    throw usage(`standard input is not JSON: ${sentenceOf(thrown)}`);
  }
  const read = input.safeParse(value);
  if (!read.success) throw usage(`standard input is no step: ${z.prettifyError(read.error).replaceAll('\n', ' ')}`);
  const { command, cwd: given = cwd, description } = read.data;
  return { command, cwd: given, ...(description === undefined ? {} : { description }) };
}

function usage(sentence: string): HandraiseError {
  return new HandraiseError(`Nothing can be proposed: ${sentence}.`, {
    code: 'usage',
    hint: 'Write it behind --: handraise propose -- git push origin main; or give JSON: {"command":"git push origin main"}.',
  });
}
