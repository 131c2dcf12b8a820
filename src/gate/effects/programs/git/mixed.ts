import { reaching } from '../../reaching.ts';
import { always, type Judgement, READ, type Rule, unknown, worst } from '../../rule.ts';
import { mayBeMoreThan } from '../../shell/argument.ts';
import { LOG, REF_FORMAT, RUNS_DIFF } from './options.ts';
import { reads } from './reading.ts';

/** Takes effect where others see it. */
export const EXTERNAL = always('external', 'changes a remote repository', 'network');

/** Verbs whose first word or option says whether they list or change. */
export const MIXED: Readonly<Record<string, Rule>> = {
  branch: listing(
    '-a -r -l -v -q --all --remotes --list --verbose --show-current --abbrev= --no-abbrev',
    '-d -D -m -M -c -C -f -u: -t --delete --move --copy --force --set-upstream-to= --unset-upstream --track[=] --no-track --create-reflog --edit-description',
    [
      '-l',
      '--list',
      '-a',
      '-r',
      '--all',
      '--remotes',
      '--contains',
      '--no-contains',
      '--merged',
      '--no-merged',
      '--points-at',
      '--show-current',
    ],
    'changes branches',
  ),
  tag: listing(
    '-l -n? --list --cleanup=',
    '-d -a -s -e -f -u: -m: -F: --delete --annotate --sign --no-sign --edit --force --local-user= --message= --file= --trailer= --create-reflog',
    ['-l', '--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at', '-n'],
    'changes tags',
  ),
  stash: subcommands({ 'list show': reads(LOG, RUNS_DIFF) }, 'changes the stash'),
  remote: subcommands(
    {
      '-v --verbose': reads('-v --verbose', {}, ({ operands }) =>
        operands.length > 0 ? { effect: 'write', reason: 'changes remotes' } : { ...READ, tags: ['secret-read'] },
      ),
      'show get-url': reads('-n --push --all', {}, () => ({ ...READ, tags: ['network', 'secret-read'] })),
    },
    'changes remotes',
    READ,
  ),
  worktree: subcommands({ list: reads('-v -z --porcelain --verbose') }, 'changes worktrees'),
  submodule: subcommands(
    {
      'status summary': reads('-q --cached --recursive --quiet --files'),
      foreach: starts('runs a command in every submodule'),
    },
    'changes submodules',
    READ,
  ),
  notes: subcommands({ 'list show': reads('') }, 'changes notes'),
  reflog: subcommands({ 'show list exists': reads(LOG, RUNS_DIFF) }, 'changes the reflog', READ, reads(LOG, RUNS_DIFF)),
  bisect: subcommands({ log: reads(''), run: starts('runs a command at every step') }, 'changes the checkout'),
  bundle: subcommands({ 'verify list-heads': reads('-q --quiet') }, 'writes a bundle'),
  lfs: subcommands(
    {
      'ls-files env status locks version': reads('-l -s -n -a --long --size --name-only --all'),
      'push lock unlock': EXTERNAL,
    },
    'changes files',
  ),
  'sparse-checkout': subcommands({ list: reads('') }, 'changes the checkout'),
  subtree: subcommands({ push: EXTERNAL }, 'changes the repository or its files'),
  flow: subcommands({ version: reads('') }, 'changes branches'),
  'symbolic-ref': reads('-q --short --quiet', { write: '-d -m: --delete' }, ({ operands }) =>
    mayBeMoreThan(1, operands) ? { effect: 'write', reason: 'sets a reference' } : undefined,
  ),
  'hash-object': reads('-t: --stdin --path= --no-filters --literally --stdin-paths', { write: '-w' }),
  config: reads(
    '-l -z --list --get: --get-all: --get-regexp: --get-urlmatch: --get-color: --get-colorbool: --show-origin --show-scope --name-only --global --system --local --worktree --includes --no-includes --type= --bool --int --path --null --default=',
    {
      write: '--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit',
      unknown: '-f: --file= --blob=',
    },
    ({ operands, values }) => {
      const words = operands.map(({ text }) => text);
      const lists = values.has('-l') || values.has('--list') || words[0] === 'list' || words[0] === 'get';
      if (lists) return { ...READ, reason: 'prints configuration', tags: ['secret-read'] };
      const isGet = [...values.keys()].some((name) => name.startsWith('--get'));
      if (isGet || !mayBeMoreThan(1, operands))
        return words.some((word) => /^(set|unset|edit|rename-section|remove-section)$/.test(word))
          ? { effect: 'write', reason: 'changes configuration' }
          : undefined;
      return {
        effect: 'write',
        reason: 'changes configuration',
        tags: words.some((word) =>
          /hook|fsmonitor|alias|pager|editor|command|filter|textconv|include|credential|helper|sshcommand|url/i.test(
            word,
          ),
        )
          ? ['persistence']
          : [],
      };
    },
  ),
};

/** Options of any listing, and the test whether it is one. */
function listing(read: string, write: string, lists: readonly string[], reason: string): Rule {
  const judge = reads(`${read} ${REF_FORMAT}`, { write }, ({ operands, values }) =>
    operands.length > 0 && !lists.some((flag) => values.has(flag)) ? { effect: 'write', reason } : undefined,
  );
  return judge;
}

/** Runs what it is told; what that does outside is seen. */
export function starts(reason: string): Rule {
  return (args, shell) => worst(unknown(reason, 'code-exec'), ...reaching(args, shell));
}

function subcommands(
  table: Readonly<Record<string, Rule>>,
  reason: string,
  bare: Judgement = { effect: 'write', reason },
  withOptions?: Rule,
): Rule {
  const rules = new Map(
    Object.entries(table).flatMap(([names, rule]) => names.split(' ').map((name) => [name, rule] as const)),
  );
  return (args, shell) => {
    const [verb, ...rest] = args;
    if (verb === undefined)
      return worst(bare, shell.moved ? unknown('the repository there may run helpers') : undefined);
    if (!verb.literal) return unknown(`${verb.source} is not known`, 'dynamic');
    const rule = rules.get(verb.text);
    if (rule !== undefined) return rule(rest, shell);
    if (withOptions !== undefined && verb.text.startsWith('-')) return withOptions(args, shell);
    return { effect: 'write', reason };
  };
}
