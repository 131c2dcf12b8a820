import type { PlacedWord } from './word.ts';

/** Quoted stretches, escapes, what separates commands, blanks, and everything else in runs. */
const TOKENS = /'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|\\.|[|;&()`\n]|[^\s'"\\|;&()`]+|[^\S\n]+|./g;

/**
 * The words of a text that is no script the shell would take: prose with a command in it, a file, a part of either. A
 * quotation mark without a second one on its line stands for itself. Commands end at what separates commands.
 */
export function looseCommands(text: string): PlacedWord[][] {
  const commands: PlacedWord[][] = [];
  let words: PlacedWord[] = [];
  let word: { text: string; pieces: { start: number; end: number; value: string }[] } | undefined;
  const endWord = () => {
    const [first] = word?.pieces ?? [];
    const last = word?.pieces.at(-1);
    if (word !== undefined && first !== undefined && last !== undefined)
      words.push({ ...word, start: first.start, end: last.end });
    word = undefined;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (/^[|;&()`\n]$/.test(token)) {
      endCommand();
      continue;
    }
    if (/^\s/.test(token)) {
      endWord();
      continue;
    }
    const inside = token.length > 1 && (token.startsWith("'") || token.startsWith('"')) ? 1 : 0;
    const escaping = token.length > 1 && token.startsWith('\\') ? 1 : 0;
    const [start, end] = [index + inside + escaping, index + token.length - inside];
    const value = text.slice(start, end);
    word ??= { text: '', pieces: [] };
    // A variable is not written out: it ends what counts as such.
    const dynamic = token.startsWith("'") ? -1 : value.search(/\$[A-Za-z_({]/);
    if (dynamic >= 0) {
      if (dynamic > 0) word.pieces.push({ start, end: start + dynamic, value: value.slice(0, dynamic) });
      word.text += `${value.slice(0, dynamic)}\0`;
      continue;
    }
    word.pieces.push({ start, end, value });
    word.text += value;
  }
  endCommand();
  return commands;
}
