import { flags } from '../../flags.ts';
import { reaching } from '../../reaching.ts';
import { always, READ, type Rule, unknown, worst } from '../../rule.ts';
import { verbs } from '../../verbs.ts';
import { installs, installsOrRuns, npmConfig, project, publishes, publishing, registry, runsPackage } from './kinds.ts';
import { npx } from './npx.ts';

const PRINTS =
  '--depth= --json --long -l -g --global --all -a --prod --dev --parseable -p --omit= --include= --workspace= -w: --workspaces --silent -s --color[=] --filter= -F: -r --recursive --production --only-projects';
const NPM_GLOBALS =
  '--prefix= -C: --dir= -w: --workspace= --workspaces --silent -s -q --quiet --no-color --color[=] -F: --filter= -r --recursive --loglevel= --cwd= -g --global';

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
      ...reaching(operands, shell),
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

/** Package managers of Node and their like. */
export const NODE_PACKAGES: Readonly<Record<string, Rule>> = {
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
    otherwise: installsOrRuns,
  }),
};
