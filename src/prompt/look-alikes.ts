/**
 * A command with characters that pass for others spelled out beside them, `с⟨U+0441⟩`: quotes, dashes, slashes and full
 * stops that are none, full-width forms, and letters of another script where they stand for Latin ones. What is written
 * in another script altogether stays as it is. Nothing is taken away.
 */
export function withLookAlikesMarked(text: string): string {
  if (!ANY_FOREIGN.test(text)) return text;
  return text.replace(WORD, (word) => {
    const isLatin = /[A-Za-z]/.test(word);
    const isDisguised =
      !isLatin && LETTERS.test(word) && [...word].every((one) => !LETTERS.test(one) || DOUBLES.has(one));
    return word.replace(FOREIGN, (found) =>
      SIGNS.test(found) || ((isLatin || isDisguised) && OTHER_SCRIPT.test(found))
        ? `${found}⟨U+${codeOf(found)}⟩`
        : found,
    );
  });
}

const WORD = /[^\s⟨⟩]+/gu;
const FOREIGN = /(?![⟨⟩])\P{ASCII}/gu;
const ANY_FOREIGN = /(?![⟨⟩])\P{ASCII}/u;
const LETTERS = /\p{L}/u;
/** Cyrillic, Greek, Armenian, Cherokee, and the mathematical and enclosed alphabets. */
const OTHER_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\u{1D400}-\u{1D7FF}\u2460-\u24FF\u2100-\u214F]/u;
/** Punctuation that passes for what a shell reads, and full-width forms. */
const SIGNS =
  /[\u00AD\u00B4\u00B7\u02B9-\u02CF\u2010-\u201F\u2024-\u2027\u2032-\u2037\u2039\u203A\u2044\u2052\u2212\u2215\u2216\u2217\u2223\u2236\u223C\u2329\u232A\u2768-\u2775\u29F5\u29F8\u3008-\u3011\u301C-\u301F\u3030\uFE10-\uFE19\uFE30-\uFE6B\uFF01-\uFF5E\uA789]/u;
/** Letters of other scripts that are drawn like Latin ones: a word of nothing else is made to be mistaken. */
const DOUBLES: ReadonlySet<string> = new Set('аеорсухіјѕһԁԛԝгкмнтвАВЕКМНОРСТУХІЈЅοναρτυχικΑΒΕΖΗΙΚΜΝΟΡΤΥΧ');

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
