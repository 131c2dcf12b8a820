/** Options of whatever prints a difference. */
export const COMMON_DIFF =
  '-NUM -p -u -s -U: -W -B? -M? -C? -D -R -a -b -w -z -l: -S: -G: -I: -O: -r -t -m -c -X? --patch --no-patch --unified= --raw --patch-with-raw --minimal --patience --histogram --anchored= --diff-algorithm= --stat[=] --stat-width= --stat-count= ' +
  '--compact-summary --numstat --shortstat --dirstat[=] --cumulative --summary --patch-with-stat --name-only --name-status --submodule[=] --color[=] --no-color --color-moved[=] --color-words[=] --word-diff[=] --word-diff-regex= ' +
  '--no-renames --rename-empty --no-rename-empty --check --full-index --binary --abbrev[=] --break-rewrites[=] --find-renames[=] --find-copies[=] --find-copies-harder --irreversible-delete --diff-filter= --pickaxe-all --pickaxe-regex ' +
  '--relative[=] --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet -q --no-ext-diff ' +
  '--no-textconv --ignore-submodules[=] --src-prefix= --dst-prefix= --no-prefix --line-prefix= --merge-base --cached --staged --no-index --no-pager --cc --combined-all-paths --indent-heuristic --no-indent-heuristic --find-object= --skip-to= --rotate-to= --default-prefix --remerge-diff --diff-merges= -1 -2 -3 -0';

/** Options of whatever prints commits. */
export const LOG =
  `${COMMON_DIFF} -n: -g -L: -i -E -F -P -x --oneline --pretty[=] --format= --abbrev-commit --no-abbrev-commit --graph --decorate[=] --no-decorate --decorate-refs= --decorate-refs-exclude= --source --all --branches[=] --tags[=] --remotes[=] --glob= --exclude= --reflog ` +
  '--walk-reflogs --follow --full-history --simplify-merges --simplify-by-decoration --dense --sparse --first-parent --merges --no-merges --min-parents= --max-parents= --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --grep-reflog= ' +
  '--all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --reverse --date= --date-order --author-date-order --topo-order --left-right --cherry --cherry-pick --cherry-mark --boundary --parents --children ' +
  '--log-size --relative-date --show-notes[=] --notes[=] --no-notes --encoding= --expand-tabs[=] --no-expand-tabs --clear-decorations --mailmap --use-mailmap --no-mailmap --ancestry-path --left-only --right-only --cherry --bisect --not --show-pulls --no-walk[=] --do-walk --root --missing= --in-commit-order --no-commit-id --stdin --always';

/** Those among them that write a file or start a program. */
export const RUNS_DIFF = {
  write: '--output=',
  unknown: '--ext-diff --textconv --show-signature --output-indicator-new= --output-indicator-old=',
};

/** Options of listings of references. */
export const REF_FORMAT =
  '--format= --sort= --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --column[=] --no-column --color[=] --no-color --omit-empty -i --ignore-case';
