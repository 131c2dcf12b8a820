import { CommanderError } from 'commander';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';

/** What a failed command says on stderr, and its exit code. */
export interface Failure {
  readonly text: string;
  readonly exitCode: number;
}

/** One line and, where there is one, a hint; the stack only for those who asked for it. */
export function failureOf(thrown: unknown, verbose: boolean): Failure {
  if (thrown instanceof CommanderError) return usageFailure(thrown);
  const foreseen = thrown instanceof HandraiseError;
  const hint = foreseen ? thrown.hint : 'This should not happen: --verbose shows where it did.';
  const sentence = oneLine(sentenceOf(thrown));
  const lines = [`handraise: ${foreseen ? sentence : `unexpected failure: ${sentence}`}`];
  if (hint !== undefined) lines.push(`  ${oneLine(hint)}`);
  if (verbose) lines.push(...stacksOf(thrown));
  return { text: `${lines.join('\n')}\n`, exitCode: exitCodeOf(thrown) };
}

/** Help that was asked for is a result; everything else commander ends with is a mistake on the command line. */
function usageFailure(error: CommanderError): Failure {
  if (error.exitCode === 0) return { text: '', exitCode: EXIT.ok };
  // Help that nobody asked for (no command was given) is already on stderr.
  if (error.code === 'commander.help') return { text: '', exitCode: EXIT.usage };
  const [sentence = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = rest.join(' ').replace(/^\((.*)\)$/, '$1');
  const hint = suggestion === '' ? 'handraise --help lists commands and flags.' : suggestion;
  return { text: `handraise: ${sentence}\n  ${hint}\n`, exitCode: EXIT.usage };
}

function stacksOf(thrown: unknown): string[] {
  if (!(thrown instanceof Error)) return [];
  const stack = thrown.stack ?? String(thrown);
  return thrown.cause === undefined ? [stack] : [stack, ...stacksOf(thrown.cause).map((inner) => `caused by ${inner}`)];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, '; ');
}
