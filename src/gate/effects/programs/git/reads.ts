import { always, READ, type Rule, unknown } from '../../rule.ts';
import { COMMON_DIFF, LOG, REF_FORMAT, RUNS_DIFF } from './options.ts';
import { reads } from './reading.ts';

/** Verbs that only read, with the options that do. */
export const READS: Readonly<Record<string, Rule>> = {
  status: reads(
    '-s -b -v -u? -z -M: --short --branch --show-stash --porcelain[=] --long --verbose --untracked-files[=] --ignore-submodules[=] --ignored[=] --column[=] --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames[=]',
  ),
  'diff diff-tree diff-index diff-files range-diff': reads(
    `${COMMON_DIFF} --base --ours --theirs --root --creation-factor= --no-dual-color --stdin --always --no-commit-id`,
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
  cherry: reads('-v --abbrev[=]'),
  'merge-tree merge-file': always('write', 'writes objects or files'),
  var: reads('-l'),
  'verify-commit verify-tag': always('unknown', 'checks signatures by a program that configuration names'),
  grep: reads(
    '-NUM -a -i -I -w -v -h -H -E -G -P -F -n -l -L -c -o -q -r -z -p -W -A: -B: -C: -e: -f: -m: --cached --untracked --no-index --no-exclude-standard --exclude-standard --recurse-submodules --text --ignore-case --no-recursive --recursive --max-depth: --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color[=] --no-color --break --heading --show-function --context= --after-context= --before-context= --function-context --max-count= --threads: --and --or --not --all-match --quiet --max-depth=',
    { unknown: '-O? --open-files-in-pager[=] --textconv --ext-grep', looksFor: true },
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
