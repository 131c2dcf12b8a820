import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { QuestionBatch } from '../core/questions/contract.ts';
import { normaliseQuestions } from '../core/questions/normalise.ts';

/** The flags of `ask` that say what is asked. */
export interface AskInput {
  readonly header?: string;
  readonly option?: readonly string[];
  readonly multi?: boolean;
  readonly file?: string;
}

/**
 * The batch of the command line: one question and its options, or JSON from `--file` or standard input. Throws `usage`
 * or `invalid_questions` with what to change.
 */
export async function readBatch(question: string | undefined, input: AskInput): Promise<QuestionBatch> {
  if (question === undefined) return normaliseQuestions(await readJson(input), 'caller');
  if (input.file !== undefined) throw usage('a question and --file were both given', 'Give one of the two.');
  return normaliseQuestions(
    {
      questions: [
        {
          question,
          header: input.header,
          multiSelect: input.multi ?? false,
          options: (input.option ?? []).map(readOption),
        },
      ],
    },
    'caller',
  );
}

/** `label=description`; the description may be left out, and hold further equals signs. */
function readOption(option: string): { label: string; description: string } {
  const at = option.indexOf('=');
  return at < 0
    ? { label: option.trim(), description: '' }
    : { label: option.slice(0, at).trim(), description: option.slice(at + 1).trim() };
}

async function readJson({ file, header, option = [], multi }: AskInput): Promise<unknown> {
  if (header !== undefined || option.length > 0 || multi === true) {
    throw usage('--header, --option and --multi belong to a question', 'Write the question as the first argument.');
  }
  if (file === undefined && process.stdin.isTTY) {
    throw usage('there is nothing to ask', 'Write: handraise ask "Which database?" --option Postgres --option SQLite');
  }
  const source = file === undefined || file === '-' ? 'standard input' : file;
  try {
    const json = source === file ? await readFile(file, 'utf8') : await text(process.stdin);
    return JSON.parse(json);
  } catch (thrown) {
    throw usage(
      `${source} does not give a batch of questions: ${sentenceOf(thrown)}`,
      'It holds JSON such as {"questions":[{"question":"Which database?","options":["Postgres","SQLite"]}]}.',
    );
  }
}

function usage(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'usage', hint });
}
