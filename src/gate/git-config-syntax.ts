/** One variable of a git configuration file, by its full name: section and variable in lower case, the middle as written. */
export interface GitVariable {
  readonly name: string;
  /** Undefined where the line has no `=`, which git takes as true. */
  readonly value: string | undefined;
}

/**
 * The variables of a git configuration file in their order, as git itself reads them; undefined for a text that git would
 * refuse or that cannot be told. Includes are not followed: they are variables like any other.
 */
export function gitVariables(text: string): readonly GitVariable[] | undefined {
  if (text.includes('\0')) return undefined;
  const cursor = { text: text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'), at: 0 };
  const variables: GitVariable[] = [];
  let section: string | undefined;
  for (;;) {
    match(cursor, /[ \t\n\v\f\r]*/y);
    if (cursor.at >= cursor.text.length) return variables;
    if (match(cursor, /[#;][^\n]*/y) !== undefined) continue;
    const header = match(cursor, /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:\\[^\n]|[^"\\\n])*)")?\]/y);
    if (header !== undefined) {
      const [, name = '', middle] = header;
      section = name.toLowerCase() + (middle === undefined ? '' : `.${middle.replace(/\\(.)/g, '$1')}`);
      continue;
    }
    const key = match(cursor, /([A-Za-z][A-Za-z0-9-]*)[ \t]*(=|(?=\n)|$)/y);
    if (key === undefined || section === undefined) return undefined;
    const value = key[2] === '=' ? valueAt(cursor) : { text: undefined };
    if (value === undefined) return undefined;
    variables.push({ name: `${section}.${(key[1] ?? '').toLowerCase()}`, value: value.text });
  }
}

interface Cursor {
  readonly text: string;
  at: number;
}

function match(cursor: Cursor, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null) return undefined;
  cursor.at = pattern.lastIndex;
  return found;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"', '\n': '' };

/** Up to the end of the line that ends it; undefined where a quote stays open or an escape is none of git's. */
function valueAt(cursor: Cursor): { readonly text: string } | undefined {
  let value = '';
  let kept = 0;
  let quoted = false;
  for (; cursor.at < cursor.text.length; cursor.at += 1) {
    const character = cursor.text[cursor.at] ?? '';
    if (character === '\n') break;
    if (!quoted && (character === '#' || character === ';')) {
      match(cursor, /[^\n]*/y);
      break;
    }
    if (character === '"') {
      quoted = !quoted;
      kept = value.length;
    } else if (character === '\\') {
      cursor.at += 1;
      const escaped = ESCAPED[cursor.text[cursor.at] ?? ''];
      if (escaped === undefined) return undefined;
      value += escaped;
      kept = value.length;
    } else if (quoted || !/\s/.test(character)) {
      value += character;
      kept = value.length;
    } else if (value !== '') value += character;
  }
  return quoted ? undefined : { text: value.slice(0, kept) };
}
