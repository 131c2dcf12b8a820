import { flags, type Parsed } from '../flags.ts';
import { always, type Judgement, READ, type Rule, type ShellState, unknown, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';
import { type Argument, unknownArgument } from '../shell/argument.ts';

const reader = (read: string, more: { write?: string; unknown?: string } = {}): Rule =>
  flags({ read: `${read} --help --version`, ...more, harmless: true }, secretsIn);

/** Tells names and sizes, and nothing of what is in a file. */
const lister = (read: string, more: { unknown?: string } = {}): Rule =>
  flags({ read: `${read} --help --version`, ...more, harmless: true });

const DIGEST =
  '-b --binary -c --check -t --text -z --zero --tag --ignore-missing --quiet -q --status --strict -w --warn -a: --algorithm= -s';

/** What lists, prints, compares, makes and removes files. */
export const FILES: Readonly<Record<string, Rule>> = {
  'ls dir vdir': lister(
    '-NUM -a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I: -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -T: -u -U -v -w: -x -X -Z -1 -e -O -@ ' +
      '--all --almost-all --author --escape --block-size= --ignore-backups --color[=] --directory --dired --classify[=] --file-type --format= --full-time ' +
      '--group-directories-first --no-group --human-readable --si --dereference-command-line --hide= --hyperlink[=] --indicator-style= --inode --ignore= ' +
      '--kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive ' +
      '--size --sort= --time= --time-style= --tabsize= --width= --context --zero',
  ),
  'eza exa': flags({
    read: '-1 -l -a -A -d -D -f -F -g -h -i -I: -L: -m -n -r -R -s: -S -t: -T -u -U -x -G -H --long --all --tree --level= --git --icons[=] --color[=] --sort= --reverse --header --group --no-user --no-time --no-permissions --oneline --grid --only-dirs --git-ignore --ignore-glob= --time-style=',
  }),
  cat: reader(
    '-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
  ),
  tac: reader('-b -r -s: --before --regex --separator='),
  nl: reader('-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w: --body-numbering= --number-format= --number-width='),
  head: reader('-NUM -c: -n: -q -v -z --bytes= --lines= --quiet --silent --verbose --zero-terminated'),
  tail: reader(
    '-NUM -c: -f -F -n: -q -r -s: -v -z --bytes= --follow[=] --lines= --max-unchanged-stats= --pid= --quiet --silent --retry --sleep-interval= --verbose --zero-terminated',
  ),
  wc: reader('-c -m -l -L -w --bytes --chars --lines --max-line-length --words --files0-from= --total='),
  stat: lister('-L -f -c: -t -x -r -s -n --dereference --file-system --format= --printf= --terse --cached='),
  du: lister(
    '-0 -a -B: -b -c -D -d: -h -H -k -L -l -m -P -S -s -t: -X: -x --null --all --block-size= --bytes --total --max-depth= --human-readable --inodes --si --separate-dirs --summarize --threshold= --time[=] --exclude= --exclude-from= --one-file-system --apparent-size --dereference --count-links',
  ),
  df: lister(
    '-a -B: -h -H -i -k -l -P -t: -T -x: -m --all --block-size= --human-readable --si --inodes --local --no-sync --output[=] --portability --total --type= --print-type --exclude-type=',
    { unknown: '--sync' },
  ),
  realpath: lister(
    '-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --strip --no-symlinks --zero',
  ),
  readlink: lister(
    '-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero',
  ),
  basename: lister('-a -s: -z --multiple --suffix= --zero'),
  dirname: lister('-z --zero'),
  pwd: lister('-L -P --logical --physical'),
  cmp: reader('-b -i: -l -n: -s --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent'),
  'diff colordiff': flags(
    {
      read:
        '-NUM -q -s -c -C: -u -U: -e -n -y -W: -p -F: -t -T -l -r -N -x: -X: -S: -i -E -Z -b -w -B -I: -a -d -D: --brief --report-identical-files --context[=] --unified[=] --ed --rcs --side-by-side ' +
        '--width= --left-column --suppress-common-lines --show-c-function --show-function-line= --label= -L: --expand-tabs --initial-tab --recursive --no-dereference --new-file --exclude= --exclude-from= ' +
        '--ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr --minimal --color[=] --normal --from-file= --to-file= --help --version',
      harmless: true,
    },
    secretsIn,
  ),
  'diff3 comm': reader(
    '-1 -2 -3 -i -z -A -e -m -E -x -X --check-order --nocheck-order --output-delimiter= --total --zero-terminated',
  ),
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum cksum sum': reader(DIGEST),
  md5: reader('-q -r -s: -n'),
  file: flags(
    {
      read: '-b -E -h -i -I -k -L -N -n -p -r -s -S -z -Z -0 -e: -F: -P: --brief --exclude= --extension --mime --mime-type --mime-encoding --keep-going --dereference --no-dereference --no-pad --print0 --raw --uncompress --separator= --special-files --help --version -v',
      unknown: '-C -m: -f: -d -D -c --compile --magic-file= --files-from= --debug --checking-printout',
    },
    secretsIn,
  ),
  tree: flags({
    read: '-a -d -l -f -x -L: -P: -I: --gitignore --gitfile= --matchdirs --metafirst --prune --filelimit= --timefmt= --noreport -p -u -g -s -h -D -F -q -N -Q -v -t -c -U -r -i -A -S -n -C -X -J -H: -T: --si --du --inodes --device --sort= --dirsfirst --filesfirst --charset= --info --help --version --fromfile',
    // -R makes a file in every directory.
    write: '-o: -R',
  }),
  find: findRule(),
  'fd fdfind': flags(
    {
      read: '-H -I -u -s -i -g -F -a -l -L -p -d: -t: -e: -S: -E: -0 -q -j: -c: -1 --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --max-depth= --min-depth= --exact-depth= --type= --extension= --size= --exclude= --changed-within= --changed-before= --owner= --print0 --color= --threads= --max-results= --quiet --base-directory= --path-separator= --search-path= --strip-cwd-prefix --one-file-system --and= --ignore-file= --help --version',
      write: '-x -X --exec --exec-batch',
    },
    ({ values, operands }, shell) =>
      isRun(values) ? worst(unknown('runs a program on every result'), inner(operands, shell)) : undefined,
  ),
  'locate mlocate plocate': lister(
    '-b -c -e -i -l: -n: -r -w -0 --basename --count --existing --ignore-case --limit= --regex --wholename --null',
  ),
  'split csplit': flags({ read: splitFlags(), unknown: '--filter=' }, () => ({
    effect: 'write',
    reason: 'makes files',
  })),
  tar: flags(
    {
      read: '-t -v -f: -z -j -J -a -C: -p -k -O -P -m -h --list --verbose --file= --gzip --bzip2 --xz --zstd --auto-compress --directory= --exclude= --strip-components= --wildcards --to-stdout --no-same-owner --same-permissions --totals --show-transformed-names --utc --full-time --help --version',
      write:
        '-x -c -r -u -A -d --extract --get --create --append --update --concatenate --delete --diff --remove-files',
      unknown:
        '-I: --use-compress-program= --to-command= --checkpoint[=] --checkpoint-action= -F: --info-script= --new-volume-script= --rsh-command= --rmt-command= -T: --files-from= -X: --exclude-from=',
    },
    (parsed, shell) => worst(tarOperands(parsed) ?? READ, archived(parsed, shell)),
  ),
  unzip: flags(
    { read: '-l -v -Z -z -t -p -c -q -h -P: --help', write: '-o -n -d: -j -u -f -a -x -C -L -X -D' },
    ({ values }) =>
      ['-l', '-v', '-Z', '-z', '-t', '-p', '-c', '-h'].some((flag) => values.has(flag))
        ? undefined
        : { effect: 'write', reason: 'extracts files' },
  ),
  zipinfo: reader('-1 -2 -h -l -m -s -t -T -v -z'),
  zip: flags({ read: '-r -q -v -9 -j -x: -i: -e', unknown: '-T -TT: --unzip-command=' }, () => ({
    effect: 'write',
    reason: 'writes an archive',
  })),
  'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4': flags(
    {
      read: '-c -d -k -q -v -t -l -NUM -T: --stdout --to-stdout --decompress --keep --test --list --help --version',
      write: '-f -r -S: -o: --force',
    },
    ({ values }) =>
      ['-c', '-t', '-l', '--stdout', '--to-stdout', '--test', '--list'].some((flag) => values.has(flag))
        ? undefined
        : { effect: 'write', reason: 'replaces files' },
  ),
  'zcat bzcat xzcat zstdcat lz4cat gzcat': reader('-f -q -v'),
  '7z 7za ar cpio rar unrar': always('write', 'reads or writes archives'),
  sync: always('write', 'flushes file systems'),
};

function splitFlags(): string {
  return '-a: -b: -C: -d -x -e -l: -n: -t: -u -f: -k -s -z --suffix-length= --bytes= --line-bytes= --numeric-suffixes[=] --lines= --number= --prefix= --digits= --quiet --verbose --additional-suffix=';
}

function isRun(values: Parsed['values']): boolean {
  return ['-x', '-X', '--exec', '--exec-batch'].some((flag) => values.has(flag));
}

function inner(operands: readonly Argument[], shell: ShellState): Judgement {
  return shell.judgeProgram([...operands, unknownArgument('{}')]);
}

/** Old-style options come first without a dash: `tar xzf a.tgz`. */
function tarOperands({ operands, values }: Parsed): Judgement | undefined {
  const [first] = operands;
  const archive = [values.get('-f'), values.get('--file'), operands[1]];
  if (archive.some((one) => /^[\w.@-]+:/.test(one?.text ?? '')))
    return { effect: 'external', reason: 'an archive on another machine' };
  const hasMode = [
    '-t',
    '-x',
    '-c',
    '-r',
    '-u',
    '-A',
    '-d',
    '--list',
    '--extract',
    '--get',
    '--create',
    '--append',
    '--update',
    '--delete',
    '--diff',
  ].some((flag) => values.has(flag));
  if (hasMode || values.has('--help') || values.has('--version')) return undefined;
  if (first === undefined || !/^[tvzjJaf]+$/.test(first.text) || !first.text.includes('t')) {
    return { effect: 'write', reason: 'extracts or makes an archive' };
  }
  return undefined;
}

/** What goes into an archive is read; a listing only names it. */
function archived({ operands, values }: Parsed, _shell: ShellState): Judgement | undefined {
  return values.has('-t') || values.has('--list') ? undefined : secretsIn({ operands });
}

function findRule(): Rule {
  const parse = flags({
    style: 'exact',
    read:
      '-H -L -P -O0 -O1 -O2 -O3 -amin: -anewer: -atime: -cmin: -cnewer: -ctime: -empty -executable -false -fstype: -gid: -group: -ilname: -iname: -inum: -ipath: -iregex: -iwholename: -links: -lname: -mmin: -mtime: -name: ' +
      '-newer: -newermt: -newerat: -newerct: -newermm: -nogroup -nouser -path: -perm: -readable -regex: -samefile: -size: -true -type: -uid: -used: -user: -wholename: -writable -xtype: -a -and -o -or -not -d -daystart -depth -follow -ignore_readdir_race -maxdepth: -mindepth: -mount -noleaf -regextype: -warn -nowarn -xdev -print -print0 -printf: -ls -prune -quit -help --help -version --version',
    write: '-delete -fls: -fprint: -fprint0: -fprintf:',
  });
  return (args, shell) => {
    let rest: Argument[] = [];
    const judged: Judgement[] = [];
    const starts = args.slice(
      0,
      Math.max(
        0,
        args.findIndex(({ text }) => text.startsWith('-') || text === '(' || text === '!'),
      ),
    );
    const begins = starts.every(({ text }) => /^[./\w]/.test(text)) ? '.' : '';
    for (let at = 0; at < args.length; at += 1) {
      const argument = args[at] as Argument;
      if (/^-(exec|execdir|ok|okdir)$/.test(argument.text)) {
        const end = args.findIndex(({ text }, index) => index > at && (text === ';' || text === '+'));
        const command = args.slice(at + 1, end === -1 ? args.length : end);
        const filled = command.map((one) =>
          one.text.includes('{}')
            ? unknownArgument(one.source, one.text === '{}' ? begins : one.text.split('{}')[0])
            : one,
        );
        const runs = shell.judgeProgram(filled);
        judged.push(
          argument.text === '-exec' ? runs : worst(unknown(`${argument.text} runs a program in every directory`), runs),
        );
        at = end === -1 ? args.length : end;
        continue;
      }
      // Grouping is no option and no start point.
      if (!/^[()!,]$/.test(argument.text)) rest = [...rest, argument];
    }
    // What it finds is what it hands on.
    const found = judged.length > 0 ? secretsIn({ operands: rest }) : undefined;
    return worst(parse(rest, shell), ...judged, found);
  };
}
