import { flags } from '../../flags.ts';
import { reaching } from '../../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../../rule.ts';
import { verbs } from '../../verbs.ts';
import { installs, installsOrRuns, npmConfig, project, publishes, publishing, registry } from './kinds.ts';

/** Package managers of other languages. */
export const LANGUAGES: Readonly<Record<string, Rule>> = {
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
    otherwise: installsOrRuns,
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
  gem: verbs({
    globals: { read: '--version -v --help' },
    verbs: {
      'list info outdated which environment contents dependency specification': flags({
        read: '-l -r -a -d --local --remote --all --versions --details',
      }),
      'push yank owner signin': publishes,
    },
    otherwise: installsOrRuns,
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
    otherwise: installsOrRuns,
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
  'bower jspm': installs,
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
