import { type FlagTable, flagParser } from '../flags.ts';
import { isNeutralVariable } from '../neutral-variables.ts';
import { reaching } from '../reaching.ts';
import { type Judgement, READ, type Rule, type ShellState, unknown, worst } from '../rule.ts';
import { type Argument, unknownArgument } from '../shell/argument.ts';

/** How a wrapper finds the command it starts. */
interface Wrapper extends Omit<FlagTable, 'stopAtOperand'> {
  /** Operands of its own before the command. */
  readonly operands?: number;
  /** What it does besides. */
  readonly itself?: Judgement;
  /** Without a command. */
  readonly bare?: Judgement;
}

function wrapper({ operands: own = 0, itself, bare, ...table }: Wrapper): Rule {
  const parse = flagParser({ ...table, stopAtOperand: true });
  return (args, shell) => {
    const { judgement, operands } = parse(args);
    const command = operands.slice(own);
    const without = bare ?? unknown('no command is named');
    return worst(
      judgement,
      itself,
      command.length === 0 ? without : judgeInner(command, shell),
      ...fallback(judgement, args, shell),
    );
  };
}

function judgeInner(command: readonly Argument[], shell: ShellState): Judgement {
  const inner = shell.judgeProgram(command);
  return { ...inner, part: inner.part ?? command.map(({ source }) => source).join(' ') };
}

/** With options that are not understood, any later word may begin the command. */
function fallback(judgement: Judgement, args: readonly Argument[], shell: ShellState): Judgement[] {
  return judgement.effect === 'read' ? [] : reaching(args, shell);
}

const anything = (reason: string): Judgement => unknown(reason);

const env: Rule = (args, shell) => {
  const { judgement, operands } = flagParser({
    read: '-0 -i -v - --ignore-environment --null --debug --help --version',
    unknown: '-u: -S: -C: -P: --unset= --split-string= --chdir=',
    stopAtOperand: true,
  })(args);
  const first = operands.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const settings = first === -1 ? operands : operands.slice(0, first);
  const command = first === -1 ? [] : operands.slice(first);
  const strange = settings.filter(({ text }) => !isNeutralVariable(text.split('=')[0] ?? ''));
  return worst(
    judgement,
    strange.length > 0
      ? unknown(`sets ${strange.map(({ text }) => text.split('=')[0]).join(', ')}, which the command may obey`)
      : undefined,
    command.length === 0
      ? { ...READ, reason: 'prints the environment', tags: ['secret-read'] }
      : judgeInner(command, shell),
    ...fallback(judgement, args, shell),
  );
};

const xargs: Rule = (args, shell) => {
  const { judgement, operands, values } = flagParser({
    read: '-0 -d: -E: -e? -I: -L: -l? -n: -P: -r -s: -t -x --null --delimiter= --max-lines[=] --max-args= --max-procs= --no-run-if-empty --verbose --exit --help --version',
    unknown: '-a: -p -o -i? --replace[=] --arg-file= --interactive --open-tty --process-slot-var=',
    stopAtOperand: true,
  })(args);
  const mark = values.get('-I')?.text ?? '';
  const filled = operands.map((one) =>
    mark !== '' && one.text.includes(mark) ? unknownArgument(one.source, one.text.split(mark)[0]) : one,
  );
  const command = mark === '' ? [...operands, unknownArgument('what it reads')] : filled;
  const inner =
    operands.length === 0 ? unknown('prints what it reads by an echo of its own') : judgeInner(command, shell);
  return worst(judgement, inner, ...fallback(judgement, args, shell));
};

/** `bash -c text`: the text is a script like any other; without one it runs a file or what it reads. */
const shell: Rule = (args, state) => {
  const { judgement, operands, values } = flagParser({
    read: '-c -l -e -u -x -f -v -h --login --noprofile --norc --posix --version --help',
    unknown: '-i -s -r -p -n -o: -O: -a -b -k -m -t -B -C -E -H -P -T -D --rcfile= --init-file= --restricted',
    stopAtOperand: true,
  })(args);
  if (values.has('--version') || values.has('--help')) return judgement;
  const [text] = operands;
  if (!values.has('-c')) return worst(unknown('runs a file or what it reads', 'code-exec'), judgement);
  if (text === undefined || !text.literal)
    return worst(unknown('runs a text that is not known', 'dynamic'), judgement, ...reaching(operands, state));
  return worst(judgement, state.judgeScript(text.text));
};

/** A shell of another grammar, or one started as somebody else: never less than unknown. */
const foreignShell: Rule = (args, state) => worst(unknown('another shell'), ...reaching(args, state));

/** What starts other programs. */
export const WRAPPERS: Readonly<Record<string, Rule>> = {
  env,
  xargs,
  'bash sh dash': shell,
  'zsh fish ksh csh tcsh pwsh powershell cmd nu elvish su runuser': foreignShell,
  command: (args, state) =>
    args[0]?.text === '-v' || args[0]?.text === '-V' ? READ : wrapper({ read: '-p' })(args, state),
  builtin: wrapper({}),
  exec: wrapper({ unknown: '-c -l -a:', bare: anything('changes what the shell reads and writes') }),
  time: wrapper({ read: '-p -v -l -a -f: --verbose --portability --format=', write: '-o: --output=' }),
  timeout: wrapper({
    read: '-s: -k: -v --signal= --kill-after= --foreground --preserve-status --verbose',
    operands: 1,
  }),
  nice: wrapper({ read: '-n: -NUM --adjustment=', bare: READ }),
  ionice: wrapper({ read: '-c: -n: -t --class= --classdata=', unknown: '-p: -P: -u:', bare: READ }),
  nohup: wrapper({ itself: { effect: 'write', reason: 'writes nohup.out' } }),
  stdbuf: wrapper({ read: '-i: -o: -e: --input= --output= --error=' }),
  'setsid caffeinate': wrapper({ read: '-c -f -w -d -i -m -s -u' }),
  'chrt taskset': wrapper({ operands: 1, itself: anything('changes scheduling') }),
  flock: wrapper({
    read: '-s -x -n -w: -E: -u -o -c --shared --exclusive --nonblock --wait= --timeout= --close',
    operands: 1,
    itself: { effect: 'write', reason: 'makes its lock file' },
  }),
  sudo: wrapper({
    read: '-n -E -H -k -S -b -u: -g: -i -s --user= --group= --non-interactive',
    itself: anything('runs as another user'),
  }),
  'doas pkexec gosu su-exec fakeroot firejail bwrap proxychains proxychains4 torsocks chroot unshare nsenter setpriv capsh systemd-run strace ltrace perf valgrind gdb lldb rr catchsegv unbuffer chronic ts script expect parallel watch entr nodemon watchexec dbus-run-session xvfb-run direnv mise asdf nix-shell nix devbox dotenv infisical doppler op vault-run chpst daemonize start-stop-daemon screen tmux busybox toybox rlwrap cgexec numactl prlimit hyperfine':
    startsSomething,
  at: () => unknown('runs later what it reads', 'persistence'),
  batch: () => unknown('runs later what it reads', 'persistence'),
};

/** What it starts is judged for reaching outside; it is never less than unknown. */
function startsSomething(args: readonly Argument[], state: ShellState): Judgement {
  return worst(unknown('starts another program'), ...reaching(args, state));
}
