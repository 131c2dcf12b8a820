/** Files by which a program finds out what to run. `upward`: the nearest one above counts where there is none here. */
interface Manifests {
  readonly names: readonly string[];
  readonly upward: boolean;
}

const here = (...names: string[]): Manifests => ({ names, upward: false });
const upward = (...names: string[]): Manifests => ({ names, upward: true });

const NODE = upward('package.json');
const PYTHON = upward('pyproject.toml', 'setup.cfg', 'setup.py', 'tox.ini', 'pytest.ini', 'conftest.py', 'noxfile.py');
const GRADLE = upward('build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts');
const COMPOSE = upward('compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml');

const BY_PROGRAM: Readonly<Record<string, Manifests>> = {
  'npm npx yarn pnpm pnpx bun bunx corepack vite vitest jest mocha tsc turbo nx lerna': NODE,
  'make gmake bmake': here('GNUmakefile', 'makefile', 'Makefile'),
  just: upward('justfile', 'Justfile', '.justfile'),
  task: upward('Taskfile.yml', 'Taskfile.yaml'),
  'rake bundle rails': upward('Rakefile', 'Gemfile'),
  'cargo rustc': upward('Cargo.toml', 'build.rs'),
  go: upward('go.mod'),
  'pytest py.test tox nox poetry uv hatch pdm pip pip3 pipx': PYTHON,
  'python python3': PYTHON,
  'mvn mvnw': upward('pom.xml'),
  'gradle gradlew': GRADLE,
  docker: { names: ['Dockerfile', ...COMPOSE.names], upward: false },
  'podman buildah': { names: ['Dockerfile', 'Containerfile', ...COMPOSE.names], upward: false },
  'docker-compose podman-compose': COMPOSE,
  composer: upward('composer.json'),
  mix: upward('mix.exs'),
  deno: upward('deno.json', 'deno.jsonc'),
  'cmake ctest': here('CMakeLists.txt'),
  ninja: here('build.ninja'),
  'pre-commit': upward('.pre-commit-config.yaml'),
};

const MANIFESTS: ReadonlyMap<string, Manifests> = new Map(
  Object.entries(BY_PROGRAM).flatMap(([names, found]) => names.split(' ').map((name) => [name, found] as const)),
);

/** By the program's own name, whatever folder it is in. */
export function manifestsOf(program: string): Manifests | undefined {
  return MANIFESTS.get(baseName(program));
}

const INTERPRETERS: ReadonlySet<string> = new Set(
  (
    'node nodejs deno bun tsx ts-node python python2 python3 ruby perl php lua Rscript osascript groovy elixir java ' +
    'bash sh dash zsh ksh ash fish pwsh source . exec'
  ).split(' '),
);

/** Whether its first operand is a file that it runs. */
export function isInterpreter(program: string): boolean {
  return INTERPRETERS.has(baseName(program).replace(/(?<=^(python|ruby|perl|php|lua)\d?)[\d.]+$/, ''));
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
