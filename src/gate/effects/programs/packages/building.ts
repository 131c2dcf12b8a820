import { flags } from '../../flags.ts';
import { always, READ, type Rule, unknown, worst } from '../../rule.ts';
import { verbs } from '../../verbs.ts';
import { publishes } from './kinds.ts';

/** Of a program whose only reading is to say its version. */
const version = flags({ read: '--version -v -V' });

/** Formatters and linters: check, or rewrite. */
const runsProject: Rule = (args) =>
  args.length === 1 && /^(--version|-v|-V|--help|-h)$/.test(args[0]?.text ?? '')
    ? READ
    : { effect: 'write', reason: 'runs code or configuration of the project', tags: ['code-exec'] };

/** What builds, tests, formats and releases: mostly code and configuration of the project. */
export const BUILDING: Readonly<Record<string, Rule>> = {
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
  'np semantic-release release-it changeset lerna vsce ovsx goreleaser fastlane eas': (args) =>
    args.length === 1 && /^(--version|--help|-h|status)$/.test(args[0]?.text ?? '')
      ? READ
      : { effect: 'external', reason: 'may publish a release' },
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
