import type { Effect, Finding } from './effect.ts';
import { type ExpansionSink, walkArithmetic, walkPart, walkWord } from './expansions.ts';
import { isNeutralVariable } from './neutral-variables.ts';
import { judgeNamed, judgeProgram } from './programs.ts';
import { judgeRedirect } from './redirects.ts';
import { type Budget, type Judgement, type ShellState, unknown } from './rule.ts';
import { type Argument, argumentOf, mayBeOption } from './shell/argument.ts';
import type {
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  TestExpression,
  Word,
} from './shell/parse.ts';

/** Wrappers within wrappers: nobody writes so many, and the stack has an end. */
const MAX_WITHIN = 40;

/** Judges every command, redirect, assignment and substitution of a script, in the order the shell meets them. */
export class ScriptWalk implements ExpansionSink {
  readonly findings: Finding[] = [];
  readonly #judgeScript: (text: string) => Judgement;
  readonly #budget: Budget;
  readonly #known = new Map<string, string>();
  #moved = false;

  constructor(judgeScript: (text: string) => Judgement, budget: Budget) {
    this.#judgeScript = judgeScript;
    this.#budget = budget;
  }

  found(finding: Finding): void {
    this.findings.push(finding);
  }

  script(script: ParsedScript): void {
    this.#statements(script.commands);
  }

  #statements(statements: readonly Statement[]): void {
    for (const { command } of statements) {
      if (command.type === 'AndOr') for (const one of command.commands) this.#pipeline(one);
      else this.#pipeline(command);
    }
  }

  #list({ commands }: CompoundList): void {
    this.#statements(commands);
  }

  #pipeline(node: PipelineNode): void {
    if (node.type === 'Pipeline') for (const one of node.commands) this.#node(one);
    else this.#node(node);
  }

  #node(node: CommandNode | CompoundList): void {
    switch (node.type) {
      case 'Command':
        this.#command(node);
        return;
      case 'CompoundList':
        this.#list(node);
        return;
      case 'Redirected':
        for (const redirect of node.redirects) this.#redirect(redirect);
        this.#node(node.command);
        return;
      case 'Subshell':
      case 'BraceGroup':
        this.#list(node.body);
        return;
      case 'If':
        for (const { clause, then } of [node, ...node.elif]) {
          this.#list(clause);
          this.#list(then);
        }
        if (node.else !== undefined) this.#list(node.else);
        return;
      case 'While':
        this.#list(node.clause);
        this.#list(node.body);
        return;
      case 'For':
        this.#loop(node.name, node.wordlist);
        this.#list(node.body);
        return;
      case 'Select':
        this.#loop(node.name, node.wordlist);
        this.#note('unknown', 'sets a variable from what is typed', 'select');
        this.#list(node.body);
        return;
      case 'Case':
        walkWord(node.word, this);
        for (const { pattern, body } of node.items) {
          for (const word of pattern) walkWord(word, this);
          this.#list(body);
        }
        return;
      case 'Function':
        this.#note('unknown', 'defines a command', `${node.name.text}()`);
        this.#node(node.body);
        return;
      case 'Coproc':
        this.#note('unknown', 'starts a coprocess', 'coproc');
        this.#node(node.body);
        return;
      case 'TestCommand':
        this.#test(node.expression);
        return;
      case 'ArithmeticCommand':
        this.#note('unknown', 'evaluates an expression', `((${node.body}))`);
        if (node.expression !== undefined) walkArithmetic(node.expression, node.body, this);
        return;
      case 'ArithmeticFor':
        this.#note('unknown', 'evaluates an expression', 'for ((');
        for (const one of [node.initialize, node.test, node.update]) {
          if (one !== undefined) walkArithmetic(one, 'for ((', this);
        }
        this.#list(node.body);
        return;
      default:
        node satisfies never;
    }
  }

  #command(command: Command): void {
    for (const one of command.prefix) if (one.type === 'Assignment') this.#assignment(one, command.name !== undefined);
    for (const redirect of command.redirects) this.#redirect(redirect);
    walkWord(command.name, this);
    const args: Argument[] = [];
    for (const argument of command.args) {
      if (argument.type === 'Assignment') {
        this.#values(argument);
        args.push(assignmentAsArgument(argument));
      } else {
        walkWord(argument, this);
        args.push(argumentOf(argument, this.#known));
      }
    }
    if (command.name === undefined) return;
    const name = argumentOf(command.name, this.#known);
    this.#add(judgeProgram([name, ...args], this.#state()), [name, ...args].map(({ source }) => source).join(' '));
    if (/^(cd|pushd|popd)$/.test(name.text)) this.#moved = true;
    if (/^(ba|da|z|k|a)?sh$/.test(name.text)) this.#standardInput(command.redirects);
  }

  #state(): ShellState {
    const budget = this.#budget;
    const spend = (judge: () => Judgement): Judgement => {
      if (budget.depth >= MAX_WITHIN) budget.left = 0;
      if (budget.left <= 0) return unknown('too many commands within commands', 'too-large');
      budget.left -= 1;
      budget.depth += 1;
      const judgement = judge();
      budget.depth -= 1;
      return judgement;
    };
    const state: ShellState = {
      moved: this.#moved,
      judgeProgram: (args) => spend(() => judgeProgram(args, state)),
      judgeNamed: (args) => spend(() => judgeNamed(args, state)),
      judgeScript: (text) => spend(() => this.#judgeScript(text)),
    };
    return state;
  }

  #assignment(assignment: Assignment, forCommand: boolean): void {
    this.#values(assignment);
    if (forCommand && isNeutralVariable(assignment.name) && assignment.index === undefined) return;
    this.#note('unknown', `sets ${assignment.name}, which later commands may obey`, assignment.text);
  }

  #values({ index, value, text }: Assignment): void {
    if (index !== undefined) {
      walkWord(index, this);
      this.#note('unknown', 'evaluates a subscript', text);
    }
    if (value.type === 'Word') walkWord(value, this);
    else for (const element of value.elements) walkWord(element, this);
  }

  #redirect(redirect: Redirection): void {
    if (redirect.type === 'HereDoc') for (const part of redirect.body.parts ?? []) walkPart(part, this);
    else walkWord(redirect.target, this);
    const finding = judgeRedirect(redirect, this.#known);
    if (finding !== undefined) this.found(finding);
  }

  /** A shell that reads its script from here is unknown already; what reaches outside in it stays external. */
  #standardInput(redirects: readonly Redirection[]): void {
    for (const redirect of redirects) {
      const text =
        redirect.type === 'HereDoc'
          ? redirect.body.text
          : redirect.type === 'HereString' && redirect.target !== undefined
            ? argumentOf(redirect.target, this.#known).text
            : undefined;
      if (text === undefined) continue;
      const judgement = this.#judgeScript(text);
      if (judgement.effect === 'external') this.#add(judgement, text);
    }
  }

  /** A loop over words that are known to be no options makes its variable known to be none. */
  #loop(name: Word, list: readonly Word[] | undefined): void {
    if (!/^[a-z_][a-z0-9_]*$/.test(name.text) || name.text.endsWith('_proxy')) {
      this.#note('unknown', `sets ${name.text}, which later commands may obey`, `for ${name.text}`);
    }
    const args = (list ?? []).map((word) => {
      walkWord(word, this);
      return argumentOf(word, this.#known);
    });
    const safe = list !== undefined && args.length > 0 && args.every((one) => !mayBeOption(one));
    this.#known.set(name.text, safe ? commonPrefix(args.map(({ prefix }) => prefix)) : '');
  }

  #test(expression: TestExpression): void {
    switch (expression.type) {
      case 'TestUnary':
        walkWord(expression.operand, this);
        if (/^-[vR]$/.test(expression.operator)) this.#note('unknown', 'evaluates a subscript', expression.operator);
        return;
      case 'TestBinary':
        walkWord(expression.left, this);
        walkWord(expression.right, this);
        if (/^-(eq|ne|lt|le|gt|ge)$/.test(expression.operator)) {
          this.#note('unknown', 'evaluates its operands', `[[ … ${expression.operator} … ]]`);
        }
        return;
      case 'TestLogical':
        for (const one of expression.operands) this.#test(one);
        return;
      case 'TestNot':
        this.#test(expression.operand);
        return;
      case 'TestGroup':
        this.#test(expression.expression);
        return;
      default:
        expression satisfies never;
    }
  }

  #note(effect: Effect, reason: string, part: string): void {
    this.found({ effect, reason, part, tags: [] });
  }

  #add(judgement: Judgement, part: string): void {
    const { effect, reason, tags = [] } = judgement;
    this.found({ effect, reason, tags: [...tags], part: judgement.part ?? part });
  }
}

/** `name=value` behind a command is a word like any other. */
function assignmentAsArgument(assignment: Assignment): Argument {
  const source = assignment.text;
  if (assignment.value.type !== 'Word' || assignment.index !== undefined) {
    return { text: source, literal: false, prefix: source, splits: false, source };
  }
  const value = argumentOf(assignment.value);
  const head = `${assignment.name}${assignment.append === true ? '+=' : '='}`;
  return {
    text: head + value.text,
    literal: value.literal,
    prefix: head + value.prefix,
    splits: value.splits,
    source,
  };
}

function commonPrefix(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  for (const text of texts) {
    while (!text.startsWith(first.slice(0, length))) length -= 1;
  }
  // Different words with nothing in common still begin like a word.
  return length > 0 ? first.slice(0, length) : '.';
}
