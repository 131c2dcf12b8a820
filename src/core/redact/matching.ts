/**
 * Calls `found` for each match of a global pattern. Unlike `matchAll` it does not compile the pattern anew, which for a
 * hundred patterns on a short text costs more than the search.
 */
export function eachMatch(pattern: RegExp, text: string, found: (match: RegExpExecArray) => void): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    // A match of nothing would be found again and again.
    if (match[0] === '') pattern.lastIndex += 1;
    found(match);
  }
}
