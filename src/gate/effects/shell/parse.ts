import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash';

export type * from 'unbash';
export { forEachChild };

/** Most simple commands in one text: what is longer cannot be read on a card either. */
const MAX_COMMANDS = 200;

/** A command as a tree, or why there is none. */
export type Parsed = { readonly script: ParsedScript } | { readonly fault: string };

/**
 * The one module that calls the grammar. Any error anywhere, in nested scripts too, is a fault: a tree that was mended
 * is not what the shell runs.
 */
export function parseShell(text: string): Parsed {
  try {
    const script = parse(text);
    return faultIn(script) ?? { script };
  } catch (thrown) {
    // The parser gives up on deep nesting with a RangeError; whatever else it throws says the same about the text.
    return { fault: `it cannot be parsed (${thrown instanceof Error ? thrown.message : String(thrown)})` };
  }
}

function faultIn(script: ParsedScript): { fault: string } | undefined {
  let commands = 0;
  let fault: string | undefined;
  const visit = (node: SyntaxNode): void => {
    if (fault !== undefined) return;
    if (node.type === 'Script') {
      const [error] = node.errors ?? [];
      if (error !== undefined) fault = `it cannot be parsed (${error.message})`;
    }
    if (node.type === 'Command') commands += 1;
    if (node.type === 'HereDoc' && node.closing === undefined) fault = 'a here-document has no end';
    if (commands > MAX_COMMANDS) fault = `more than ${MAX_COMMANDS} commands`;
    forEachChild(node, visit);
  };
  visit(script);
  return fault === undefined ? undefined : { fault };
}
