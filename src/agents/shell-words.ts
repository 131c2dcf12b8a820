/** Words as one line that a POSIX shell takes apart into exactly these words. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

const PLAIN = /^[\w@%+:,./-]+$/;
