import type { Finding } from './effect.ts';
import type {
  ArithmeticExpression,
  DoubleQuotedChild,
  ParameterExpansionPart,
  ParsedScript,
  Word,
  WordPart,
} from './shell/parse.ts';

/** What is found inside words goes here; scripts in them are judged like the script around them. */
export interface ExpansionSink {
  found(finding: Finding): void;
  script(script: ParsedScript): void;
}

/**
 * Walks everything the shell evaluates while it makes a word: substitutions, defaults, patterns, subscripts. What only
 * reads a variable is silent; what can set one or evaluate its content is unknown.
 */
export function walkWord(word: Word | undefined, sink: ExpansionSink): void {
  for (const part of word?.parts ?? []) walkPart(part, sink);
}

export function walkPart(part: WordPart | DoubleQuotedChild, sink: ExpansionSink): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'SimpleExpansion':
      return;
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const child of part.parts) walkPart(child, sink);
      return;
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      for (const child of part.parts ?? []) walkPart(child, sink);
      return;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      if (part.script === undefined) sink.found(evaluates(part.text, 'a substitution that cannot be read'));
      else sink.script(part.script);
      return;
    case 'ArithmeticExpansion':
      walkArithmetic(part.expression, part.text, sink);
      return;
    case 'ParameterExpansion':
      walkParameter(part, sink);
      return;
    default:
      part satisfies never;
  }
}

function walkParameter(part: ParameterExpansionPart, sink: ExpansionSink): void {
  if (part.prefix === '!') sink.found(evaluates(part.text, 'evaluates the content of a variable'));
  if (part.index !== undefined && !/^(\d+|[@*])$/.test(part.index.text)) {
    walkWord(part.index, sink);
    sink.found(evaluates(part.text, 'evaluates a subscript'));
  }
  const operation = part.operation;
  switch (operation?.type) {
    case undefined:
      return;
    case 'Default':
      walkWord(operation.operand, sink);
      if (operation.operator.endsWith('=')) sink.found(evaluates(part.text, 'sets a shell variable'));
      return;
    case 'Remove':
      walkWord(operation.operand, sink);
      return;
    case 'Replace':
      walkWord(operation.pattern, sink);
      walkWord(operation.replacement, sink);
      return;
    case 'CaseModification':
      walkWord(operation.operand, sink);
      return;
    case 'Slice':
      for (const bound of [operation.offset, operation.length]) {
        walkWord(bound, sink);
        if (bound !== undefined && !/^\s*-?\d+\s*$/.test(bound.text)) {
          sink.found(evaluates(part.text, 'evaluates an expression'));
        }
      }
      return;
    default:
      // `${x@P}` runs what x holds; `${!x*}` and what the grammar does not know are no reader's either.
      sink.found(evaluates(part.text, 'evaluates the content of a variable'));
  }
}

/** Bash evaluates names in arithmetic again and again, subscripts with their substitutions included: numbers only. */
export function walkArithmetic(expression: ArithmeticExpression | undefined, text: string, sink: ExpansionSink): void {
  if (expression === undefined) {
    sink.found(evaluates(text, 'evaluates an expression'));
    return;
  }
  switch (expression.type) {
    case 'ArithmeticWord':
      for (const part of expression.parts ?? []) walkPart(part, sink);
      if (!/^\d+$/.test(expression.value)) sink.found(evaluates(text, 'evaluates an expression'));
      return;
    case 'ArithmeticBinary':
      walkArithmetic(expression.left, text, sink);
      walkArithmetic(expression.right, text, sink);
      return;
    case 'ArithmeticUnary':
      walkArithmetic(expression.operand, text, sink);
      return;
    case 'ArithmeticTernary':
      for (const one of [expression.test, expression.consequent, expression.alternate]) walkArithmetic(one, text, sink);
      return;
    case 'ArithmeticGroup':
      walkArithmetic(expression.expression, text, sink);
      return;
    case 'ArithmeticCommandExpansion':
      if (expression.script !== undefined) sink.script(expression.script);
      sink.found(evaluates(text, 'evaluates the output of a command'));
      return;
    default:
      expression satisfies never;
  }
}

function evaluates(part: string, reason: string): Finding {
  return { effect: 'unknown', reason, part, tags: ['dynamic'] };
}
