/**
 * Whether the whole text matches the pattern: `*` and `?` stay within one part between slashes, `**` crosses them,
 * `{a,b}` is either, `[a-z]` one of. A lone `*` matches everything, slashes too. Letters are told apart by case.
 */
export function globMatches(pattern: string, text: string): boolean {
  return pattern === '*' || expressionOf(pattern).test(text);
}

/** Whether a pattern can be used at all: brackets in order, braces closed. */
export function isGlob(pattern: string): boolean {
  try {
    expressionOf(pattern);
    return true;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return false;
    throw thrown;
  }
}

/** The part of a path pattern before its first special character, cut back to a whole folder; may be "". */
export function literalHead(pattern: string): string {
  const special = pattern.search(/[*?{[]/);
  if (special < 0) return pattern;
  return pattern.slice(0, pattern.lastIndexOf('/', special) + 1);
}

function expressionOf(pattern: string): RegExp {
  let source = '';
  let inBraces = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    const set = /^\[(!?)([^\]]+)\]/.exec(rest);
    if (rest.startsWith('**/')) {
      source += '(?:.*/)?';
      at += 2;
    } else if (rest.startsWith('**')) {
      source += '.*';
      at += 1;
    } else if (rest[0] === '*') {
      source += '[^/]*';
    } else if (rest[0] === '?') {
      source += '[^/]';
    } else if (set !== null) {
      source += `[${set[1] === '!' ? '^/' : ''}${(set[2] ?? '').replaceAll('\\', '\\\\').replaceAll('[', '\\[').replaceAll('^', '\\^')}]`;
      at += set[0].length - 1;
    } else if (rest[0] === '{' && rest.includes('}')) {
      source += '(?:';
      inBraces += 1;
    } else if (rest[0] === '}' && inBraces > 0) {
      source += ')';
      inBraces -= 1;
    } else if (rest[0] === ',' && inBraces > 0) {
      source += '|';
    } else {
      source += (rest[0] ?? '').replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    }
  }
  return new RegExp(`^${source}$`, 'su');
}
