import { flags, type Parsed } from '../flags.ts';
import { always, type Judgement, READ, type Rule, type ShellState, unknown, worst } from '../rule.ts';
import { secretsIn } from '../secrets.ts';
import { mayBeMoreThan } from '../shell/argument.ts';
import { valuesOf, writing } from '../written.ts';
import { judgeAwk } from './awk.ts';
import { judgeSed } from './sed.ts';

const reader = (
  read: string,
  more: { write?: string; unknown?: string } = {},
  then: (parsed: Parsed) => Judgement | undefined = secretsIn,
): Rule => flags({ read: `${read} --help --version`, ...more }, then);
const harmless = (read: string): Rule => flags({ read: `${read} --help --version`, harmless: true }, secretsIn);

const GREP =
  '-NUM -A: -a -B: -b -C: -c -D: -d: -E -e: -F -f: -G -H -h -I -i -L -l -m: -n -o -P -q -R -r -s -T -U -u -v -V -w -x -y -Z -z --after-context= --before-context= --context= --binary-files= --byte-offset ' +
  '--color[=] --colour[=] --count --devices= --directories= --exclude= --exclude-from= --exclude-dir= --extended-regexp --file= --files-with-matches --files-without-match --fixed-strings --basic-regexp ' +
  '--ignore-case --no-ignore-case --include= --initial-tab --invert-match --label= --line-buffered --line-number --line-regexp --max-count= --no-filename --with-filename --no-messages --null --null-data ' +
  '--only-matching --perl-regexp --quiet --silent --recursive --dereference-recursive --regexp= --text --word-regexp';

const RG =
  '-NUM -A: -B: -C: -c -E: -e: -F -f: -g: -H -h -I -i -j: -L -l -M: -m: -n -N -o -p -P -q -r: -S -s -t: -T: -U -u -v -w -x -0 -a -b -. --after-context= --before-context= --context= --color= --column --no-column --count --count-matches ' +
  '--crlf --dfa-size-limit= --encoding= --engine= --regexp= --fixed-strings --no-fixed-strings --file= --files --files-with-matches --files-without-match --follow --glob= --iglob= --glob-case-insensitive --heading --no-heading --hidden --no-hidden --ignore-case ' +
  '--ignore-file= --include-zero --invert-match --json --line-buffered --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --no-mmap --multiline --multiline-dotall --no-config ' +
  '--no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-global --no-messages --no-require-git --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2 --pretty --quiet --regex-size-limit= --replace= --smart-case ' +
  '--case-sensitive --sort= --sortr= --stats --text --threads= --trim --type= --type-add= --type-not= --type-list --unicode --no-unicode --unrestricted --vimgrep --with-filename --no-filename --word-regexp --byte-offset';

/** What reads text and prints text. */
export const TEXT: Readonly<Record<string, Rule>> = {
  'grep egrep fgrep zgrep': flags({ read: `${GREP} --help --version`, harmless: true }, searched),
  rg: flags(
    {
      read: `${RG} --help --version`,
      unknown: '--pre= --pre-glob= --hostname-bin= --hyperlink-format= -z --search-zip -d: --debug --trace',
    },
    searched,
  ),
  ag: reader(
    '-A: -B: -C: -c -g: -G: -i -l -L -m: -n -o -Q -s -S -u -U -v -w -a -t -0 --hidden --ignore= --ignore-dir= --depth= --nocolor --nogroup --column --count --literal --files-with-matches --js --ts --python',
    { unknown: '--pager=' },
    searched,
  ),
  'awk gawk mawk nawk': judgeAwk,
  'sed gsed': judgeSed,
  'sort gsort': flags(
    {
      read: '-b -d -f -g -h -i -M -n -R -r -V -c -C -k: -m -s -S: -t: -T: -u -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse --sort= --version-sort --batch-size= --check[=] --debug --key= --merge --stable --buffer-size= --field-separator= --temporary-directory= --parallel= --unique --zero-terminated --help --version',
      write: '-o: --output=',
      written: ['-o', '--output'],
      unknown: '--compress-program= --files0-from= --random-source=',
    },
    secretsIn,
  ),
  uniq: flags(
    {
      read: '-NUM -c -d -D -f: -i -s: -u -w: -z --count --repeated --all-repeated[=] --skip-fields= --group[=] --ignore-case --skip-chars= --unique --zero-terminated --check-chars= --help --version',
    },
    secondIsWritten,
  ),
  cut: harmless(
    '-b: -c: -d: -f: -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated',
  ),
  tr: harmless('-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1'),
  paste: harmless('-d: -s -z --delimiters= --serial --zero-terminated'),
  join: harmless('-a: -e: -i -j: -o: -t: -v: -1: -2: -z --check-order --nocheck-order --header'),
  'fold fmt': harmless('-NUM -b -s -w: -c -p: -t -u -g: --width= --bytes --spaces --split-only --uniform-spacing'),
  column: harmless(
    '-NUM -t -s: -o: -c: -n: -N: -x -J -R: -H: -O: -W: -E: -T: -d -e --table --separator= --output-separator= --output-width= --table-columns= --json --table-right= --table-hide= --keep-empty-lines',
  ),
  'rev tsort': harmless(''),
  'expand unexpand': harmless('-i -t: -a --tabs= --initial --all --first-only'),
  jq: flags(
    {
      read: '-c -n -e -s -r -R -a -C -M -S -j -f: -L: --tab --indent: --arg: --argjson: --slurpfile: --rawfile: --args --jsonargs --compact-output --null-input --exit-status --slurp --raw-output --raw-output0 --raw-input --ascii-output --color-output --monochrome-output --sort-keys --join-output --from-file= --seq --stream --stream-errors --unbuffered --help --version -h -V',
    },
    jqSecrets,
  ),
  'yq gojq dasel': reader(
    '-r -e -o: -p: -P -C -M -j -y -n -c -N -I: --raw-output --output-format= --input-format= --prettyPrint --colors --no-colors --exit-status --indent= --null-input --no-doc eval',
    {
      write: '-i --inplace --in-place',
      unknown: '-s: --split-exp= --front-matter=',
    },
  ),
  xxd: flags(
    { read: '-a -b -c: -C -d -e -E -g: -h -i -l: -n: -o: -p -ps -R: -s: -u -v', unknown: '-r' },
    secondIsWritten,
  ),
  'od hexdump hd': harmless(
    '-A: -b -c -C -d -e: -f: -j: -n: -N: -o -s: -t: -v -w? -x -i -l -a --address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates --width[=] --strings[=]',
  ),
  strings: harmless('-a -f -n: -o -t: -e: -T: -w -d -NUM --all --print-file-name --bytes= --radix= --encoding='),
  'base64 base32 basenc': flags(
    {
      read: '-d -D -i -w: --decode --ignore-garbage --wrap= --base64 --base64url --base32 --help --version',
      write: '-o: --output=',
      written: ['-o', '--output'],
    },
    secretsIn,
  ),
  iconv: flags(
    {
      read: '-f: -t: -c -l -s --from-code= --to-code= --list --silent --help --version',
      write: '-o: --output=',
      written: ['-o', '--output'],
    },
    secretsIn,
  ),
  'less more most pg': flags(
    {
      read: '-NUM -a -c -d -E -e -F -f -g -i -I -J -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X -x: -z: -p: --RAW-CONTROL-CHARS --quit-if-one-screen --no-init --chop-long-lines --LINE-NUMBERS',
      unknown: '-o: -O: -k: -T: -t: -K -L',
    },
    ({ operands }) =>
      operands.some(({ text }) => text.startsWith('+')) ? unknown('its + runs commands') : secretsIn({ operands }),
  ),
  'bat batcat': reader(
    '-A -p -l: -H: -n -r: -s -f -u -d --show-all --plain --language= --highlight-line= --file-name= --number --line-range= --style= --color= --theme= --wrap= --tabs= --paging= --decorations= --list-themes --list-languages',
    { unknown: '--pager= --diff' },
  ),
  shuf: flags(
    {
      read: '-e -i: -n: -r -z --echo --input-range= --head-count= --repeat --zero-terminated --help --version',
      write: '-o: --output=',
      written: ['-o', '--output'],
      unknown: '--random-source=',
    },
    secretsIn,
  ),
  seq: harmless('-f: -s: -w -NUM --format= --separator= --equal-width'),
  'numfmt factor': harmless(
    '--from= --to= --suffix= --padding= --field= --delimiter= --grouping --header[=] --format= --invalid= --round= -d: -z',
  ),
  echo: always('read', 'prints'),
  printf: (args) => {
    const [format] = args;
    if (
      format !== undefined &&
      (format.text.startsWith('-v') || (!format.literal && (format.splits || format.prefix === '')))
    ) {
      return unknown('-v sets a shell variable');
    }
    return { effect: 'read', reason: 'prints' };
  },
  yes: harmless(''),
  xmllint: flags(
    {
      read: '--format --noout --xpath: --pretty: --nonet --html --recover --valid --schema: --version',
      write: '--output: -o:',
      unknown: '--shell --load-trace',
    },
    secretsIn,
  ),
  diffstat: harmless('-p: -s -n: -l --side-by-side --line-numbers'),
  tldr: always('read', 'prints help'),
  man: flags(
    {
      read: '-k -f -w -a --where --whatis --apropos',
      unknown: '-P: -H? -C: -l --pager= --html[=] --local-file',
    },
    ({ operands }) =>
      operands.some(({ text, literal }) => text.includes('/') || !literal)
        ? unknown('formats a file it names')
        : undefined,
  ),
};

/** The first word is what to look for, unless an option says that. */
function searched({ operands, values }: Parsed): Judgement | undefined {
  const hasPattern = ['-e', '-f', '--regexp', '--file', '--files', '--type-list'].some((option) => values.has(option));
  const files = hasPattern ? operands : operands.slice(1);
  return secretsIn({ operands: [...files, ...valuesOf({ values }, '-f', '--file')] });
}

function secondIsWritten({ operands }: Parsed, shell: ShellState): Judgement {
  if (!mayBeMoreThan(1, operands)) return secretsIn({ operands }) ?? READ;
  const judged = writing({ effect: 'write', reason: 'its second operand is written' }, operands.slice(1, 2), shell);
  return worst(judged, secretsIn({ operands }));
}

/** A jq program may print the whole environment, and files come as values of options, too. */
function jqSecrets({ operands, values }: Parsed): Judgement | undefined {
  // The first is the program, unless that comes from a file; an option of two values leaves its second among them.
  const isProgramFirst = !['-f', '--from-file', '--rawfile', '--slurpfile'].some((option) => values.has(option));
  const files = isProgramFirst ? operands.slice(1) : operands;
  if (operands.some(({ text }) => /(?<![\w.])env\b|\$ENV\b/.test(text))) {
    return { ...READ, reason: 'reads the environment, which may hold secrets', tags: ['secret-read'] };
  }
  return secretsIn({ operands: [...files, ...values.values()] });
}
