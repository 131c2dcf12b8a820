import { createInterface } from 'node:readline';
import * as z from 'zod';
import { HandraiseError } from '../core/errors.ts';
import { createRedactor } from '../core/redact/redactor.ts';
import { type Classification, classifyCommand } from '../gate/effects/classify.ts';
import { secretPositions } from '../gate/redact/secret-positions.ts';
import { gateVerdict } from '../gate/verdict.ts';
import { drawnText } from '../prompt/full-text.ts';
import { EXIT } from './exit-codes.ts';
import { shellText } from './shell-words.ts';

/** Other keys of a row are kept as they are. */
const row = z.looseObject({ cmd: z.string(), cwd: z.string().optional() });

/**
 * `explain -- <command…>` for people, `--stdin` for programs: one object a line in, one a line out. A line that is no
 * such object comes back as `{"error":…}` in its place, and the exit code is 64 in the end.
 */
export async function explain(command: readonly string[], { stdin = false }: { stdin?: boolean }): Promise<number> {
  if (stdin) {
    if (command.length > 0) throw usage('a command and --stdin were both given', 'Give one of the two.');
    return explainLines();
  }
  if (command.length === 0) throw usage('no command is named', 'Write it behind --: handraise explain -- git push');
  const text = shellText(command);
  process.stdout.write(inWords(classifyCommand(text)));
  return EXIT.ok;
}

async function explainLines(): Promise<number> {
  let exitCode: number = EXIT.ok;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const explained = explainLine(line);
    if ('error' in explained) exitCode = EXIT.usage;
    await written(`${JSON.stringify(explained)}\n`);
  }
  return exitCode;
}

function explainLine(line: string): Record<string, unknown> {
  const parsed = row.safeParse(jsonOf(line));
  if (!parsed.success) return { error: 'The line is no JSON object with a text "cmd" (and "cwd", if any).' };
  const found = classifyCommand(parsed.data.cmd, parsed.data.cwd);
  const { effect, reason, part, tags } = found;
  return { ...parsed.data, effect, reason, part, tags, verdict: gateVerdict(found), shown: shownOf(parsed.data.cmd) };
}

/** Without values that only a run knows: those of its own environment and configuration. */
const redactor = createRedactor({ locate: secretPositions });

/** What a card would show of it: masked, and with nothing in it that could hide anything. */
function shownOf(command: string): string {
  return drawnText({ kind: 'command', text: redactor.text(command) }).text;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The schema refuses undefined with the sentence for every other wrong line.
    return undefined;
  }
}

/** Waits where the reader is slow, so that no amount of lines is held here. */
async function written(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}

const DOES: Readonly<Record<ReturnType<typeof gateVerdict>, string>> = {
  allow: 'it would run without a question',
  ask: 'people would be asked',
  deny: 'it would be refused without a question',
};

function inWords(found: Classification): string {
  const { effect, reason, part, tags } = found;
  return [
    `effect:  ${effect}`,
    `because: ${reason}`,
    `part:    ${JSON.stringify(part).slice(1, -1)}`,
    ...(tags.length === 0 ? [] : [`tags:    ${tags.join(', ')}`]),
    `verdict: ${gateVerdict(found)} (${DOES[gateVerdict(found)]})`,
    '',
  ].join('\n');
}

function usage(what: string, hint: string): HandraiseError {
  return new HandraiseError(`Nothing can be explained: ${what}.`, { code: 'usage', hint });
}
