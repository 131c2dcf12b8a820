import { reaching } from '../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import { writing } from '../written.ts';

/** Reads with nothing but a question for its version; anything else is a program nobody has read. */
function interpreter(prints = /^(--version|-v|-V|--help|-h|version)$/): Rule {
  return (args, shell) => {
    const [first] = args;
    if (args.length === 1 && first !== undefined && first.literal && prints.test(first.text))
      return { ...READ, reason: 'prints its version' };
    return worst(unknown('runs a program of its own', 'code-exec'), ...reaching(args, shell));
  };
}

/** `perl -pi -e s/…/…/`: a substitution in place, without an option that evaluates and without code in its parts. */
const perl: Rule = (args, shell) => {
  const [flags, script, ...files] = args;
  const inPlace = /^-(pi(\.\w+)?|pie)$/.test(flags?.text ?? '');
  const rest = script?.text === '-e' ? files : flags?.text === '-pie' ? [script] : [];
  const [code] = rest;
  if (
    inPlace &&
    !args.some(({ text }) => /^[<>+|]|\|$/.test(text.trim())) &&
    code?.literal === true &&
    PLAIN_SUBSTITUTION.test(code.text) &&
    !/[@$]\{|\(\?\??\{/.test(code.text)
  ) {
    const [, ...edited] = rest.filter((word) => word !== undefined);
    return writing({ effect: 'write', reason: 'edits files in place' }, rest[0] === script ? files : edited, shell);
  }
  return interpreter(/^(-v|-V|--version)$/)(args, shell);
};

const PLAIN_SUBSTITUTION = /^s([/|#,!])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1[gimsx]*;?$/;

/** Python can be told to run a module that is a program of its own. */
const python: Rule = (args, shell) => {
  const module = args.findIndex(({ text }) => text === '-m');
  if (module === -1) return interpreter(/^(--version|-V|-VV|--help|-h)$/)(args, shell);
  const [name, ...rest] = args.slice(module + 1);
  if (
    name === undefined ||
    !/^(pip|twine|pytest|venv|build|http\.server|unittest|mypy|black|ruff|poetry)$/.test(name.text)
  )
    return unknown('runs a module', 'code-exec');
  if (name.text === 'http.server') return unknown('opens a port', 'network');
  return worst(shell.judgeProgram([name, ...rest]), { effect: 'write', reason: 'runs a module', tags: ['code-exec'] });
};

/** Languages: what they run is not read here. */
export const INTERPRETERS: Readonly<Record<string, Rule>> = {
  node: interpreter(),
  'python python3 python2 pypy pypy3': python,
  'ruby irb php lua luajit julia Rscript R erl elixir iex ghc runghc runhaskell ocaml scala kotlin groovy jshell clojure bb racket guile sbcl tclsh wish zig nim crystal':
    interpreter(),
  deno: (args, shell) =>
    worst(
      interpreter()(args, shell),
      args[0]?.text === 'deploy' || args[0]?.text === 'publish'
        ? { effect: 'external', reason: 'publishes' }
        : undefined,
    ),
  java: interpreter(/^(-version|--version|-help)$/),
  'perl perl5': perl,
  'ts-node ts-node-esm sucrase-node': always('unknown', 'runs a program of the project', 'code-exec'),
};
