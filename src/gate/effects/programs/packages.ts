import { flags } from '../flags.ts';
import { reaching } from '../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../rule.ts';
import { verbs } from '../verbs.ts';

/** Runs what others wrote; what it is told to do outside is seen. */
const runsPackage: Rule = (args, shell) =>
  worst(unknown('runs a package', 'code-exec', 'network'), ...reaching(args, shell));

const project = (reason: string): Rule => always('write', reason, 'code-exec');
const installs = always('write', 'changes installed packages', 'network', 'code-exec');
const publishes = always('external', 'changes a package registry', 'network');
const registry = (read: string): Rule => flags({ read: `${read} --json --help -h` }, undefined, 'network');

const PRINTS =
  '--depth= --json --long -l -g --global --all -a --prod --dev --parseable -p --omit= --include= --workspace= -w: --workspaces --silent -s --color[=] --filter= -F: -r --recursive --production --only-projects';
const NPM_GLOBALS =
  '--prefix= -C: --dir= -w: --workspace= --workspaces --silent -s -q --quiet --no-color --color[=] -F: --filter= -r --recursive --loglevel= --cwd= -g --global';

/** `npm config list` reads, `npm config set` writes. */
const npmConfig: Rule = (args) =>
  /^(get|list|ls)$/.test(args[0]?.text ?? 'list')
    ? { ...READ, tags: ['secret-read'] }
    : { effect: 'write', reason: 'changes configuration', tags: ['persistence'] };

const NODE_VERBS: Readonly<Record<string, Rule>> = {
  'ls list ll la why explain query': registry(PRINTS),
  'view info show v outdated search ping audit fund': (args, shell) =>
    args.some(({ text }) => text === 'fix' || text === '--fix')
      ? installs(args, shell)
      : registry(`${PRINTS} --audit-level= --package-lock-only --parseable`)(args, shell),
  'root prefix bin licenses': flags({ read: '-g --global --json --prod --dev' }),
  'config c': npmConfig,
  get: always('read', 'prints configuration', 'secret-read'),
  set: always('write', 'changes configuration', 'persistence'),
  'install i add ci update up upgrade uninstall remove rm un dedupe prune rebuild link unlink import fetch deploy-dry store patch patch-commit install-test it clean-install':
    installs,
  'test t tst run-script start stop restart': (args, shell) => project('runs scripts of the project')(args, shell),
  run: (args) =>
    args.length === 0
      ? READ
      : /publish|deploy|release|ship|push/i.test(args[0]?.text ?? '')
        ? unknown('runs a script of the project', 'code-exec')
        : { effect: 'write', reason: 'runs a script of the project', tags: ['code-exec'] },
  'exec x dlx create init': runsPackage,
  pkg: (args) =>
    args[0]?.text === 'get' ? READ : { effect: 'write', reason: 'changes package.json', tags: ['persistence'] },
  version: (args) =>
    args.length === 0 || args.every(({ text }) => text === '--json')
      ? READ
      : { effect: 'write', reason: 'changes the version and makes a tag', tags: ['code-exec'] },
  pack: project('writes a package file'),
  cache: (args) =>
    /^(ls|list|dir)$/.test(args[0]?.text ?? '') ? READ : { effect: 'write', reason: 'changes the cache' },
  completion: always('read', 'prints'),
  'help doctor': (args) => (args.length === 0 ? READ : unknown('opens a viewer')),
  'publish unpublish deprecate undeprecate owner author access token team org hook profile star unstar stage trust sbom-upload login logout adduser whoami-set deploy':
    publishes,
  'dist-tag dist-tags': (args) =>
    /^(ls|list)$/.test(args[0]?.text ?? '')
      ? { ...READ, tags: ['network'] }
      : { effect: 'external', reason: 'changes a package registry', tags: ['network'] },
  whoami: always('read', 'asks the registry', 'network'),
};

const version = flags({ read: '--version -v -V' });

const npm = verbs({
  globals: { read: `${NPM_GLOBALS} --version -v --help -h` },
  verbs: NODE_VERBS,
  bare: () => READ,
  abbreviates: true,
});
const pnpm = verbs({
  globals: { read: `${NPM_GLOBALS} --version -v --help -h` },
  verbs: NODE_VERBS,
  bare: () => READ,
  // Whatever else stands there is a script of the project or a program of its packages.
  otherwise: (operands, shell) =>
    worst(
      unknown('runs a script or program of the project', 'code-exec'),
      publishing(operands[0]?.text),
      shell.judgeProgram(operands).effect === 'external' ? shell.judgeProgram(operands) : undefined,
    ),
});
/** Its own release is a file of the project that `.yarnrc.yml` names: there is no reading with it. */
const yarn: Rule = (args, shell) =>
  worst(unknown('runs the yarn that the project names', 'code-exec'), yarnVerbs(args, shell));

const yarnVerbs = verbs({
  globals: { read: `${NPM_GLOBALS} --version -v --help -h` },
  verbs: {
    ...NODE_VERBS,
    npm: verbs({ verbs: NODE_VERBS }),
    workspace: (args, shell) => pnpm(args.slice(1), shell),
    'global dlx': runsPackage,
  },
  bare: installs,
  otherwise: (operands, shell) =>
    worst(
      unknown('runs a script or program of the project', 'code-exec'),
      publishing(operands[0]?.text),
      ...reaching(operands, shell),
    ),
});

function publishing(verb = ''): { effect: 'external'; reason: string } | undefined {
  return /^(publish|deploy|release)$/.test(verb) ? { effect: 'external', reason: 'publishes' } : undefined;
}

/** `npx tool …`: a program of the project's packages, or one that is fetched. */
const npx: Rule = (args, shell) => {
  const at = args.findIndex(({ text }) => !/^(-y|--yes|--no-install|--no|-q|--quiet|--bun|exec)$/.test(text));
  const [tool, ...rest] = at === -1 ? [] : args.slice(at);
  if (tool === undefined) return unknown('no program is named');
  const name = tool.text.replace(/(?<=.)@[^/]*$/, '');
  if (tool.text.startsWith('-') || !tool.literal)
    return worst(unknown('runs a package', 'code-exec'), ...reaching(args, shell));
  if (PROJECT_TOOLS.test(name) && name === tool.text)
    return worst(
      { effect: 'write', reason: 'runs a program of the project', tags: ['code-exec'] },
      shell.judgeProgram([tool, ...rest]),
    );
  const inner = shell.judgeProgram([{ ...tool, text: name }, ...rest]);
  return worst(
    unknown('runs a package', 'code-exec', 'network'),
    PUBLISHING_TOOLS.test(name) ? { effect: 'external', reason: `${name} reaches beyond this machine` } : undefined,
    inner.effect === 'external' ? inner : undefined,
  );
};

/** Packages whose whole purpose is outside, and that no table of programs knows. */
const PUBLISHING_TOOLS = /^(localtunnel|ngrok|untun|surge|gh-pages|np|semantic-release)$/;

/** What teams run from their own packages many times a day: it writes, by code of the project. */
const PROJECT_TOOLS =
  /^(vitest|jest|mocha|ava|tap|tsc|tsx|ts-node|eslint|biome|prettier|stylelint|playwright|cypress|vite|webpack|rollup|esbuild|next|nuxt|astro|turbo|nx|knip|madge|depcheck|lint-staged|tsup|c8|nyc|oxlint|swc|babel|parcel|storybook|prisma|rimraf|mkdirp|cross-env|concurrently)$/;

/** Formatters and linters: check, or rewrite. */
const runsProject: Rule = (args) =>
  args.length === 1 && /^(--version|-v|-V|--help|-h)$/.test(args[0]?.text ?? '')
    ? READ
    : { effect: 'write', reason: 'runs code or configuration of the project', tags: ['code-exec'] };

/** Package managers, build and test tools. */
export const PACKAGES: Readonly<Record<string, Rule>> = {
  npm,
  pnpm,
  yarn,
  bun: verbs({
    globals: { read: '--version -v --help -h --revision' },
    verbs: {
      ...NODE_VERBS,
      test: project('runs tests of the project'),
      pm: (args, shell) => (/^(ls|list|bin|hash|cache)$/.test(args[0]?.text ?? '') ? READ : installs(args, shell)),
      build: project('builds the project'),
    },
    otherwise: always('unknown', 'runs a file', 'code-exec'),
    bare: () => READ,
  }),
  'npx bunx pnpx': npx,
  'corepack nvm fnm volta n rbenv pyenv rustup sdk': verbs({
    globals: { read: '--version -v --help' },
    verbs: { 'ls list current which version versions show ls-remote': flags({ read: '--json -v --no-colors' }) },
    otherwise: installs,
  }),
  'vitest jest mocha ava tap tsc tsx eslint biome stylelint playwright cypress vite webpack rollup esbuild next nuxt astro turbo nx knip madge tsup c8 nyc oxlint storybook rimraf cross-env concurrently lint-staged':
    runsProject,
  prettier: (args, shell) =>
    args.some(({ text }) => /^(--write|-w)$/.test(text))
      ? { effect: 'write', reason: 'rewrites files' }
      : runsProject(args, shell),
  'pytest tox nox coverage mypy pyright pylint flake8 bandit pre-commit rspec rubocop rake phpunit phpstan behave robot ctest go-task task just invoke fab scons meson ninja cmake bazel buck2 pants sbt lein mix rebar3 dune stack cabal swift xcodebuild flutter dart ant mvnw gradlew':
    (args) =>
      args.length === 1 && /^(--version|-V|--help)$/.test(args[0]?.text ?? '')
        ? READ
        : worst(
            unknown('runs code of the project', 'code-exec'),
            args.some(({ text }) => /^(publish|deploy|upload|release)/.test(text))
              ? { effect: 'external', reason: 'publishes' }
              : undefined,
          ),
  'black isort ruff autopep8 yapf clang-format shfmt rustfmt': (args) =>
    args.some(({ text }) => /^(--check|--diff|--version|check)$/.test(text)) &&
    !args.some(({ text }) => /^(--fix|-i|-w|--write)$/.test(text))
      ? worst(READ, unknown('runs configuration of the project'))
      : { effect: 'write', reason: 'rewrites files' },
  gofmt: flags({ read: '-l -d -e -s', write: '-w', unknown: '-r: -cpuprofile:', style: 'exact' }),
  'make gmake': (args) =>
    args.length === 1 && /^(--version|-v|--help)$/.test(args[0]?.text ?? '')
      ? READ
      : unknown('runs recipes of the project', 'code-exec'),
  'pip pip3 uv pipx poetry pdm hatch conda mamba rye pipenv twine flit': verbs({
    globals: { read: '--version -V --help -h -q --quiet -v --no-color --disable-pip-version-check' },
    verbs: {
      'list show freeze check inspect': flags({
        read: '-o -u -f -v --outdated --uptodate --format= --files --verbose --local --user --not-required --all --json --tree --only= --without= --latest --no-dev',
        unknown: '--index-url= -i: --extra-index-url= --path=',
      }),
      'help debug info about': always('read', 'prints'),
      config: npmConfig,
      pip: (args, shell) =>
        /^(list|show|freeze|check|tree)$/.test(args[0]?.text ?? '') && args.length < 3 ? READ : installs(args, shell),
      'publish upload': publishes,
      'run shell exec': (args, shell) =>
        worst(unknown('runs a program of the project', 'code-exec'), ...reaching(args, shell)),
      'build download wheel lock export': project('writes files, by code of the project'),
    },
    otherwise: installs,
    bare: () => READ,
  }),
  cargo: cargo(),
  go: verbs({
    verbs: {
      version: flags({ read: '-m -v', style: 'exact' }),
      env: (args) =>
        args.some(({ text }) => /^-[wu]/.test(text))
          ? { effect: 'write', reason: 'changes the environment of go' }
          : READ,
      'help doc': flags({ read: '-all -c -cmd -short -src -u', style: 'exact' }),
      list: flags(
        {
          read: '-f: -json -m -e -deps -test -find -versions -u -retracted',
          unknown: '-mod: -modfile: -toolexec: -exec: -overlay: -compiled -export',
          style: 'exact',
        },
        () => unknown('may download modules', 'network'),
      ),
      mod: (args) =>
        /^(graph|why|verify)$/.test(args[0]?.text ?? '')
          ? READ
          : { effect: 'write', reason: 'changes modules', tags: ['network'] },
      'build install test vet generate get work clean fix bug tool run': project('runs or builds code of the project'),
      fmt: always('write', 'rewrites files'),
    },
  }),
  'gradle mvn': verbs({
    globals: {
      read: '-q -B -o -U -e -X --quiet --batch-mode --offline --info --debug --stacktrace --no-daemon --version -v --help -h',
      unknown: '-D: -P: -f: -p: -b: -I: -c: -s: -pl: -am',
    },
    verbs: {
      'deploy deploy:deploy-file release:perform release:prepare publish uploadArchives publishToMavenCentral site:deploy jib:build':
        publishes,
    },
    otherwise: (operands) =>
      worst(
        unknown('runs code of the project', 'code-exec'),
        operands.some(({ text }) => /^(:?[\w:-]*:)?(deploy|publish\w*|release:perform|uploadArchives)$/.test(text))
          ? { effect: 'external', reason: 'publishes' }
          : undefined,
      ),
    bare: () => READ,
  }),
  gem: verbs({
    globals: { read: '--version -v --help' },
    verbs: {
      'list info outdated which environment contents dependency specification': flags({
        read: '-l -r -a -d --local --remote --all --versions --details',
      }),
      'push yank owner signin': publishes,
    },
    otherwise: installs,
  }),
  // The Gemfile is a program.
  'bundle bundler': (args, shell) =>
    /^(install|update|add|remove|init|lock|cache|package|clean|pristine)$/.test(args[0]?.text ?? 'install')
      ? installs(args, shell)
      : worst(unknown('runs the Gemfile', 'code-exec'), publishing(args[0]?.text), ...reaching(args, shell)),
  composer: verbs({
    globals: { read: '--version -V -n -q --no-interaction --no-ansi' },
    verbs: {
      'show info licenses outdated why depends prohibits validate check-platform-reqs': always(
        'unknown',
        'reads, and loads plugins',
      ),
    },
    otherwise: installs,
  }),
  dotnet: verbs({
    globals: { read: '--version --info --list-sdks --list-runtimes -h --help' },
    verbs: {
      'build test run restore clean publish pack add remove new format tool watch': project(
        'runs or builds code of the project',
      ),
      nuget: (args) =>
        args[0]?.text === 'push' || args[0]?.text === 'delete'
          ? { effect: 'external', reason: 'changes a package registry' }
          : { effect: 'write', reason: 'changes packages' },
    },
    bare: () => READ,
  }),
  'np semantic-release release-it changeset lerna vsce ovsx goreleaser fastlane eas': (args) =>
    args.length === 1 && /^(--version|--help|-h|status)$/.test(args[0]?.text ?? '')
      ? READ
      : { effect: 'external', reason: 'may publish a release' },
  'bower jspm': installs,
  'cloc tokei scc': flags({
    read: '--by-file --json --yaml --exclude-dir= --include-lang= -f: -o: --sort= -s: -e: --files',
    write: '--out= --report-file=',
  }),
  protoc: always('write', 'writes generated code'),
  'gcc g++ cc c++ clang clang++ ld as javac rustc kotlinc scalac': (args) =>
    args.length === 1 && /^(--version|-version|-v|-V)$/.test(args[0]?.text ?? '')
      ? READ
      : { effect: 'write', reason: 'writes compiled code' },
  'ldd nm objdump readelf size otool': version,
};

function cargo(): Rule {
  const rule = verbs({
    globals: {
      read: '-q -v --quiet --verbose --offline --locked --frozen --color= --version -V --list --help',
      unknown: '--config= -Z: -C:',
    },
    verbs: {
      // `.cargo/config.toml` may name the compiler that these start.
      'tree metadata': always('unknown', 'asks a compiler that the project names', 'code-exec'),
      'search info': registry('--limit= --registry= -q'),
      'version help locate-project pkgid read-manifest verify-project': flags({
        read: '--workspace --message-format= -v',
      }),
      'publish yank owner login logout release workspaces dist': publishes,
      'fmt fix add remove rm update new init clean generate-lockfile vendor install uninstall package fetch': always(
        'write',
        'changes files of the project',
      ),
      'build b check c test t run r bench doc clippy nextest rustc rustdoc miri llvm-cov expand watch make xtask':
        project('runs or builds code of the project'),
    },
    bare: () => READ,
  });
  // `cargo +nightly verb`
  return (args, shell) => rule(args[0]?.text.startsWith('+') === true ? args.slice(1) : args, shell);
}
