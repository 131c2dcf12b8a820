import { flagParser } from '../flags.ts';
import { type Judgement, READ, type Rule, unknown, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';
import type { Argument } from '../shell/argument.ts';
import { writing } from '../written.ts';

const parse = flagParser({
  read: '-n -e: -E -r -s -u -z -l: --quiet --silent --expression= --regexp-extended --separate --unbuffered --null-data --line-length= --posix --debug --sandbox --help --version',
  write: '-i? --in-place[=]',
  unknown: '-f: --file= --follow-symlinks -b --binary',
});

/** An editor for streams whose scripts can write files (w, W) and run commands (e). */
export const judgeSed: Rule = (args, shell) => {
  const parsed = parse(args);
  const scripts = scriptsIn(args);
  const [first, ...files] = parsed.operands;
  const all = scripts.length > 0 ? scripts : first === undefined ? [] : [first];
  const edited = scripts.length > 0 ? parsed.operands : files;
  return worst(writing(parsed.judgement, edited, shell), ...all.map(judgeScript), secretsIn({ operands: edited }));
};

/** Every -e, and not the last one only. */
function scriptsIn(args: readonly Argument[]): readonly Argument[] {
  return args.flatMap((argument, at) => {
    const next = args[at + 1];
    if (/^(-[nErsuz]*e|--expression)$/.test(argument.text)) return next === undefined ? [] : [next];
    const glued = /^(?:-[nErsuz]*e|--expression=)(.+)$/s.exec(argument.text)?.[1];
    return glued === undefined ? [] : [{ ...argument, text: glued }];
  });
}

function judgeScript(script: Argument): Judgement {
  if (!script.literal) return unknown('a script that is not known', 'dynamic');
  return isPlain(script.text) ? READ : unknown('a script that may write or run');
}

const ADDRESS =
  /^\s*(?:(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?)(?:\s*[,~]\s*(?:[+~]?\d+|\$|\/(?:[^/\\\n]|\\.)*\/I?))?)?\s*!?\s*/;

/** Only commands that print, delete from the stream, or substitute without the flags w and e. */
function isPlain(script: string): boolean {
  let rest = script;
  while (true) {
    rest = rest.replace(/^[\s;{}]+/, '');
    if (rest === '') return true;
    rest = rest
      .slice(ADDRESS.exec(rest)?.[0].length ?? 0)
      .replace(/^[\s{]+/, (blank) => (blank.includes('{') ? blank : ''));
    if (rest.startsWith('{')) {
      rest = rest.slice(1);
      continue;
    }
    const after = afterCommand(rest);
    if (after === undefined) return false;
    rest = after;
  }
}

/** What follows one harmless command; undefined when it is none. */
function afterCommand(text: string): string | undefined {
  const simple = /^[pPdDgGhHnNxl=qQ](?:\s*\d+)?(?=\s*(?:[;}\n]|$))/.exec(text);
  if (simple !== null) return text.slice(simple[0].length);
  const command = text[0];
  const delimiter = text[1];
  if ((command !== 's' && command !== 'y') || delimiter === undefined || /[\w\s\\;]/.test(delimiter)) return undefined;
  let at = 2;
  for (let parts = 0; parts < 2; parts += 1) {
    at = afterDelimiter(text, at, delimiter);
    if (at === -1) return undefined;
  }
  const suffix = /^[gpiI\d]*(?=\s*(?:[;}\n]|$))/.exec(text.slice(at));
  return suffix === null ? undefined : text.slice(at + suffix[0].length);
}

function afterDelimiter(text: string, from: number, delimiter: string): number {
  let inBrackets = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '\n') return -1;
    else if (character === delimiter && !inBrackets) return at + 1;
    else if (character === delimiter) return -1;
    else if (character === '[' && !inBrackets) inBrackets = true;
    else if (character === ']' && text[at - 1] !== '[') inBrackets = false;
  }
  return -1;
}
