import type { Effect, Finding } from './effect.ts';
import { type ExpansionSink, walkArithmetic, walkPart, walkWord } from './expansions.ts';
import { eitherOf, type Folders, foldersAfter, pathsOf } from './folders.ts';
import { isNeutralVariable } from './neutral-variables.ts';
import { judgeNamed, judgeProgram } from './programs.ts';
import { reaching } from './reaching.ts';
import { judgeRedirect } from './redirects.ts';
import { type Budget, type Judgement, type ShellState, unknown } from './rule.ts';
import { type Argument, argumentOf, mayBeOption } from './shell/argument.ts';
import type {
  AndOr,
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

/** Programs that run what they read. */
const READS_SCRIPT = /(^|\/)((ba|da|z|k|a|fi)?sh|at|batch|xargs|parallel|source|\.)$/;

/** Where a script begins. */
export type Place = Pick<ShellState, 'moved' | 'folders'>;
type JudgeScript = (text: string, from: Place) => Judgement;

/** Judges every command, redirect, assignment and substitution of a script, in the order the shell meets them. */
export class ScriptWalk implements ExpansionSink {
  readonly findings: Finding[] = [];
  readonly #judgeScript: JudgeScript;
  readonly #budget: Budget;
  readonly #known = new Map<string, string>();
  #moved: boolean;
  #folders: Folders;

  constructor(judgeScript: JudgeScript, budget: Budget, from: Place) {
    this.#judgeScript = judgeScript;
    this.#budget = budget;
    this.#moved = from.moved;
    this.#folders = from.folders;
  }

  found(finding: Finding): void {
    this.findings.push(finding);
  }

  /** The whole text, or a substitution in it: what that changes ends with it. */
  script(script: ParsedScript): void {
    this.#within(() => this.#statements(script.commands));
  }

  #statements(statements: readonly Statement[]): void {
    for (const { command } of statements) {
      const before = this.#folders;
      if (command.type === 'AndOr') this.#chain(command);
      else this.#pipeline(command);
      // A change of folder may have failed.
      this.#folders = eitherOf(before, this.#folders);
    }
  }

  /** Behind `&&` a change of folder has worked, behind `||` it has not. */
  #chain({ commands, operators }: AndOr): void {
    let possible = this.#folders;
    for (const [at, one] of commands.entries()) {
      this.#pipeline(one);
      possible = eitherOf(possible, this.#folders);
      if (operators[at] !== '&&') this.#folders = possible;
    }
  }

  /** What runs in a process of its own leaves this one where it is. */
  #within(judge: () => void): void {
    const before = this.#folders;
    judge();
    this.#folders = before;
  }

  #list({ commands }: CompoundList): void {
    this.#statements(commands);
  }

  #pipeline(node: PipelineNode): void {
    if (node.type !== 'Pipeline') this.#node(node);
    else if (node.commands.length === 1) for (const one of node.commands) this.#node(one);
    else {
      for (const one of node.commands) this.#within(() => this.#node(one));
      this.#handedOn(node.commands);
    }
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
        this.#within(() => this.#list(node.body));
        return;
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
        args.push(this.#argument(argument));
      }
    }
    if (command.name === undefined) return;
    const name = this.#argument(command.name);
    this.#add(judgeProgram([name, ...args], this.#state()), [name, ...args].map(({ source }) => source).join(' '));
    if (!/^(test|\[)$/.test(name.text) && args.some(printsSecret)) {
      this.found({
        effect: 'read',
        reason: 'uses a variable that may hold a secret',
        part: name.source,
        tags: ['secret-read'],
      });
    }
    if (/^(cd|pushd|popd)$/.test(name.text)) this.#moved = true;
    this.#folders = foldersAfter(this.#folders, [name, ...args]);
    if (READS_SCRIPT.test(name.text)) this.#standardInput(command.redirects);
  }

  #argument(word: Word): Argument {
    const argument = argumentOf(word, this.#known);
    const isPlain = argument.literal && this.#folders.paths.every((path) => path === '');
    return isPlain ? argument : { ...argument, paths: pathsOf(argument, this.#folders) };
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
      folders: this.#folders,
      judgeProgram: (args) => spend(() => judgeProgram(args, state)),
      judgeNamed: (args) => spend(() => judgeNamed(args, state)),
      judgeScript: (text) => spend(() => this.#judgeScript(text, state)),
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
    const finding = judgeRedirect(redirect, this.#known, this.#folders);
    if (finding !== undefined) this.found(finding);
  }

  /** What is handed to a shell by a pipe is run there: it is unknown already, and external where that would be. */
  #handedOn(stages: readonly CommandNode[]): void {
    const commands = stages.filter((stage) => stage.type === 'Command');
    if (!commands.some(({ name }) => name !== undefined && READS_SCRIPT.test(argumentOf(name, this.#known).text)))
      return;
    for (const { args, redirects } of commands) {
      const words = args.flatMap((word) => (word.type === 'Word' ? [argumentOf(word, this.#known)] : []));
      for (const judgement of reaching(words, this.#state())) this.#add(judgement, judgement.part ?? '|');
      this.#standardInput(redirects);
    }
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
      const judgement = this.#judgeScript(text, this.#state());
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
    this.found({ ...judgement, tags: judgement.tags ?? [], part: judgement.part ?? part });
  }
}

/** Variables that are there to hold a secret, unless only whether they are set counts. */
function printsSecret({ literal, source }: Argument): boolean {
  return (
    !literal && /\$\{?\w*(TOKEN|SECRET|PASSW|API_?KEY|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY)\w*(?!\w*:?\+)/i.test(source)
  );
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
