import { flagParser, flags, type Parsed } from '../flags.ts';
import { reaching } from '../reaching.ts';
import { always, type Judgement, READ, type Rule, unknown, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';
import type { Argument } from '../shell/argument.ts';
import { verbs } from '../verbs.ts';

/** Reads of a repository: as long as its configuration names no program, and only where the script started. */
function reads(
  read: string,
  more: { write?: string; unknown?: string } = {},
  then?: (parsed: Parsed) => Judgement | undefined,
): Rule {
  const rule = flags(
    { read: `${read} -h`, ...more },
    (parsed) =>
      worst(
        then?.(parsed) ?? READ,
        secretsIn({ operands: parsed.operands.map(inTree) }),
        asksForSignatures(parsed) ? unknown('checks signatures by a program that configuration names') : undefined,
      ),
    'needs:git-neutralised',
  );
  return (args, shell) =>
    shell.moved
      ? worst(unknown('the repository there may run helpers', 'needs:git-neutralised'), rule(args, shell))
      : rule(args, shell);
}

const writes = (reason: string, table: { unknown?: string; external?: string } = {}): Rule => {
  const judge = flagParser({ ...table, harmless: true });
  return (args) => {
    // Options that only write need no list; those that run something do.
    const { values } = judge(args);
    const named = args.some(({ text }) => startsLike(text, table.unknown)) || values.size > 0;
    return named
      ? worst({ effect: 'write', reason }, unknown('an option runs a command', 'code-exec'))
      : { effect: 'write', reason };
  };
};

/** `HEAD:.env` is the file of that name. */
function inTree(operand: Argument): Argument {
  return { ...operand, text: operand.text.replace(/^[^:]*:/, '') };
}

/** Placeholders of formats that start gpg. */
function asksForSignatures({ values }: Parsed): boolean {
  return [...values.values()].some(({ text }) => /%G|%\(signature|%\(raw/.test(text));
}

/** Also by its beginning, with its value glued or not. */
function startsLike(text: string, options = ''): boolean {
  const name = text.split('=')[0] ?? '';
  return options.split(/\s+/).some((option) => {
    const full = option.replace(/[=:?]$/, '');
    if (full === '') return false;
    return full.startsWith('--')
      ? name.length > 3 && full.startsWith(name)
      : name.startsWith(full) && !name.startsWith('--');
  });
}

const EXTERNAL = always('external', 'changes a remote repository', 'network');

const COMMON_DIFF =
  '-NUM -p -u -s -U: -W -B? -M? -C? -D -R -a -b -w -z -l: -S: -G: -I: -O: -r -t -m -c -X? --patch --no-patch --unified= --raw --patch-with-raw --minimal --patience --histogram --anchored= --diff-algorithm= --stat[=] --stat-width= --stat-count= ' +
  '--compact-summary --numstat --shortstat --dirstat[=] --cumulative --summary --patch-with-stat --name-only --name-status --submodule[=] --color[=] --no-color --color-moved[=] --color-words[=] --word-diff[=] --word-diff-regex= ' +
  '--no-renames --rename-empty --no-rename-empty --check --full-index --binary --abbrev[=] --break-rewrites[=] --find-renames[=] --find-copies[=] --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all --pickaxe-regex ' +
  '--relative[=] --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet -q --no-ext-diff ' +
  '--no-textconv --ignore-submodules[=] --src-prefix= --dst-prefix= --no-prefix --line-prefix= --merge-base --cached --staged --no-index --no-pager --cc --combined-all-paths --indent-heuristic --no-indent-heuristic --find-object= --skip-to= --rotate-to= --default-prefix --remerge-diff --diff-merges= -1 -2 -3 -0';

const LOG =
  `${COMMON_DIFF} -n: -g -L: -i -E -F -P -x --oneline --pretty[=] --format= --abbrev-commit --no-abbrev-commit --graph --decorate[=] --no-decorate --decorate-refs= --decorate-refs-exclude= --source --all --branches[=] --tags[=] --remotes[=] --glob= --exclude= --reflog ` +
  '--walk-reflogs --follow --full-history --simplify-merges --simplify-by-decoration --dense --sparse --first-parent --merges --no-merges --min-parents= --max-parents= --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --grep-reflog= ' +
  '--all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --reverse --date= --date-order --author-date-order --topo-order --left-right --cherry --cherry-pick --cherry-mark --boundary --parents --children ' +
  '--log-size --relative-date --show-notes[=] --notes[=] --no-notes --encoding= --expand-tabs[=] --no-expand-tabs --clear-decorations --mailmap --use-mailmap --no-mailmap --ancestry-path --left-only --right-only --cherry --bisect --not --show-pulls --no-walk[=] --do-walk --root --missing= --in-commit-order --no-commit-id --stdin --always';

const RUNS_DIFF = {
  write: '--output=',
  unknown: '--ext-diff --textconv --show-signature --output-indicator-new= --output-indicator-old=',
};

const REF_FORMAT =
  '--format= --sort= --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --column[=] --no-column --color[=] --no-color --omit-empty -i --ignore-case';

const READS: Readonly<Record<string, Rule>> = {
  status: reads(
    '-s -b -v -u? -z -M: --short --branch --show-stash --porcelain[=] --long --verbose --untracked-files[=] --ignore-submodules[=] --ignored[=] --column[=] --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames[=]',
  ),
  'diff diff-tree diff-index diff-files range-diff': reads(
    `${COMMON_DIFF} --base --ours --theirs --root --creation-factor= --no-dual-color --stdin --always`,
    RUNS_DIFF,
  ),
  'log show whatchanged': reads(LOG, RUNS_DIFF),
  shortlog: reads(
    '-s -n -e -w? -c -h --summary --numbered --email --format= --group= --since= --until= --all --no-merges --author= --date=',
  ),
  'blame annotate': reads(
    '-L: -l -t -S: -p -M? -C? -h -c -f -n -s -e -w -b --root --show-stats --reverse --first-parent --porcelain --line-porcelain --incremental --encoding= --date= --color-lines --color-by-age --score-debug --show-name --show-number --show-email --abbrev= --ignore-rev=',
    { unknown: '--contents= --ignore-revs-file= --progress' },
  ),
  'rev-parse': reads(
    '-q --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --abbrev-ref[=] --short[=] --symbolic --symbolic-full-name --verify --quiet --all --branches[=] --tags[=] --remotes[=] --local-env-vars --show-object-format[=] --show-superproject-working-tree --git-path: --path-format= --revs-only --no-revs --flags --no-flags --default: --since= --until= --not --sq --disambiguate=',
  ),
  'rev-list': reads(
    LOG +
      ' --count --objects --objects-edge --unpacked --disk-usage[=] --use-bitmap-index --filter= --header --timestamp --quiet',
  ),
  'ls-files': reads(
    '-c -d -m -o -i -s -u -k -t -v -f -z -x: -X: -e: --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --eol --exclude= --exclude-from= --exclude-per-directory= --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev[=] --debug --deduplicate --format= --sparse --resolve-undo --with-tree=',
  ),
  'ls-tree': reads(
    '-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree --abbrev[=] --format=',
  ),
  'cat-file': reads(
    '-t -s -e -p --batch[=] --batch-check[=] --batch-all-objects --buffer --unordered --follow-symlinks --allow-unknown-type',
    { unknown: '--textconv --filters --path=' },
  ),
  describe: reads(
    '--all --tags --contains --abbrev= --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty[=] --broken[=]',
  ),
  'name-rev': reads('--tags --refs= --all --name-only --always --no-undefined --exclude='),
  'merge-base': reads('-a --all --octopus --independent --is-ancestor --fork-point'),
  'show-ref for-each-ref': reads(
    `-d -s -q -h --head --tags --heads --branches --dereference --hash[=] --abbrev[=] --verify --quiet --exists --count= --shell --perl --python --tcl ${REF_FORMAT}`,
  ),
  'show-branch': reads(
    '-a -r --all --remotes --current --topo-order --list --sparse --more= --no-name --sha1-name --color --no-color',
  ),
  'count-objects': reads('-v -H --verbose --human-readable'),
  'check-ignore check-attr check-mailmap check-ref-format': reads(
    '-q -v -z -n -a --quiet --verbose --stdin --non-matching --no-index --all --cached --source= --branch --allow-onelevel --normalize',
  ),
  'cherry merge-tree': reads('-v --abbrev[=] --name-only --messages'),
  var: reads('-l'),
  'verify-commit verify-tag': reads('-v --verbose --raw', { unknown: '--format=' }),
  grep: reads(
    '-NUM -a -i -I -w -v -h -H -E -G -P -F -n -l -L -c -o -q -r -z -p -W -A: -B: -C: -e: -f: -m: --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --no-recursive --recursive --max-depth: --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color[=] --no-color --break --heading --show-function --context= --after-context= --before-context= --function-context --max-count= --threads: --and --or --not --all-match --quiet --max-depth=',
    { unknown: '-O? --open-files-in-pager[=] --textconv --ext-grep' },
  ),
  help: reads(
    '-a -g -c --all --guides --config --no-external-commands --no-aliases',
    { unknown: '-w -m -i --web --man --info' },
    ({ operands }) => (operands.length > 0 ? unknown('opens a viewer that configuration names') : undefined),
  ),
  version: reads('--build-options'),
  'ls-remote': reads(
    '-q -h -t --heads --tags --branches --refs --quiet --exit-code --get-url --sort= --symref',
    { unknown: '--upload-pack= --exec= -o: --server-option=' },
    ({ operands }) =>
      operands.some(({ text }) => /::|:\/\/|@|[/\\]|^\./.test(text))
        ? unknown('talks to an address it names', 'network')
        : { ...READ, tags: ['network'] },
  ),
  fsck: (args, shell) =>
    args.length === 0 ? reads('')(args, shell) : { effect: 'write', reason: 'may write what it finds' },
  'verify-pack': reads('-v -s'),
  archive: (args) =>
    args.some(({ text }) => /^--(rem|ex)/.test(text))
      ? unknown('asks another machine, by a program it names')
      : { effect: 'write', reason: 'writes an archive' },
  'bugreport diagnose': always('write', 'writes a report'),
};

/** Verbs whose first word or option says whether they list or change. */
const MIXED: Readonly<Record<string, Rule>> = {
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
      '-v --verbose': reads('-v --verbose', {}, () => ({ ...READ, tags: ['secret-read'] })),
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
  flow: subcommands({ version: reads('') }, 'changes branches'),
  'symbolic-ref': reads('-q --short --quiet', { write: '-d -m: --delete' }, ({ operands }) =>
    operands.length > 1 ? { effect: 'write', reason: 'sets a reference' } : undefined,
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
      if (isGet || words.length < 2)
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
function starts(reason: string): Rule {
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

const RUNS =
  '--exec= -x: --upload-pack= --receive-pack= -u: --template= -c: --config= --pager= -O? --tool= --extcmd= -X: --strategy-option= --server-option=';

const WRITES: Readonly<Record<string, Rule>> = {
  'add rm mv restore reset checkout switch stash merge cherry-pick revert commit am apply clean init gc prune pack-refs repack update-index update-ref read-tree write-tree commit-tree maintenance rerere replace mktag mktree pack-objects unpack-objects format-patch fast-import checkout-index index-pack rm-cached stripspace multi-pack-index commit-graph':
    writes('changes the repository or its files', { unknown: '--exec= --template= --pathspec-from-file=' }),
  rebase: (args, shell) =>
    worst(writes('rewrites commits', { unknown: '--exec= -x:' })(args, shell), ...reaching(args, shell)),
  'fetch pull': (args, shell) =>
    worst(
      writes('fetches from a remote', { unknown: '--upload-pack=' })(args, shell),
      args.some(({ text }) => text.includes('::'))
        ? unknown('a transport that runs a program', 'code-exec')
        : undefined,
    ),
  clone: (args, shell) =>
    worst(
      writes('makes a copy of a repository', { unknown: RUNS })(args, shell),
      args.some(({ text }) => text.includes('::'))
        ? unknown('a transport that runs a program', 'code-exec')
        : undefined,
    ),
  'difftool mergetool filter-branch filter-repo instaweb gui citool web--browse daemon shell upload-pack receive-pack credential credential-store credential-cache for-each-repo hook':
    starts('runs programs that it is told'),
};

const git = verbs({
  globals: {
    read: '--no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-replace-objects -P --version --help',
    unknown:
      '-c: -C: -p --paginate --exec-path[=] --git-dir= --work-tree= --namespace= --bare --super-prefix= --config-env= --html-path --man-path --info-path --attr-source= --no-lazy-fetch',
  },
  verbs: {
    ...WRITES,
    ...READS,
    ...MIXED,
    'push send-email send-pack http-push request-pull svn p4 cvsexportcommit imap-send': EXTERNAL,
  },
  bare: () => READ,
});

/** Version control. */
export const GIT: Readonly<Record<string, Rule>> = {
  // An alias given on the way is a command of its own.
  git: (args, shell) =>
    worst(
      git(args, shell),
      ...reaching(
        args.filter(({ text }) => /alias\./.test(text)),
        shell,
      ),
    ),
  'hg svn': verbs({
    verbs: {
      'status log diff cat annotate blame info': always('unknown', 'reads, and may run configured programs'),
      'push commit ci': always('external', 'may change a remote repository'),
    },
  }),
  jj: verbs({
    verbs: {
      git: (args) =>
        args[0]?.text === 'push' ? { effect: 'external', reason: 'publishes' } : unknown('changes the repository'),
    },
  }),
  'tig gitk lazygit': always('unknown', 'is interactive'),
  'husky lefthook': always('unknown', 'runs hooks of the project', 'code-exec'),
};
