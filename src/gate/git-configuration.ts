import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { gitVariables } from './git-config-syntax.ts';

/** Bytes. A larger configuration or index is not looked through, and then git may run anything. */
const MOST_BYTES = 32 * 1_024 * 1_024;

/** Variables by which reading a repository starts a program, reads other configuration, or fetches. */
const EXECUTABLE =
  /^(filter\..*|diff\.(.*\.)?(textconv|command|external)|core\.(fsmonitor|hookspath|sshcommand|pager|gitproxy|askpass|editor|alternaterefscommand|splitindex)|alias\..*|pager\..*|include\..*|includeif\..*|log\.showsignature|extensions\.partialclone|remote\..*\.(promisor|uploadpack|vcs))$/s;

/** Switches among them, which do nothing when they are off. */
const OFF = /^(false|no|off|0|)$/i;

/** Variables of the environment that have git read another repository or configuration, or start a program. */
const DECIDES = /^GIT_(DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|EXTERNAL_DIFF|EXEC_PATH|CONFIG.*)$/;

const SYSTEM = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];

/** Says why reading the repository that git would find from a directory may start a program; undefined when nothing does. */
export type GitHelpers = (cwd: string) => Promise<string | undefined>;

/**
 * Looks at configuration, links and hooks without running git, as a clean filter runs whatever git is told. Every
 * repository on the way up counts, as git passes over one that is broken. What cannot be read counts as a program.
 */
export function createGitHelpers(env: NodeJS.ProcessEnv, home: string): GitHelpers {
  const seen = new Map<string, { readonly version: string; readonly why: string | undefined }>();
  const xdg = env['XDG_CONFIG_HOME'];
  const user = [join(home, '.gitconfig'), join(home, '.config/git/config'), ...(xdg ? [join(xdg, 'git/config')] : [])];

  return async (cwd) => {
    const set = Object.keys(env).find((name) => DECIDES.test(name));
    if (set !== undefined) return `${set} is set`;
    try {
      for (const file of [...SYSTEM, ...user]) {
        const why = await inFile(file);
        if (why !== undefined) return why;
      }
      for (let folder = await realpath(cwd); ; folder = dirname(folder)) {
        const why = await inFolder(folder);
        if (why !== undefined || dirname(folder) === folder) return why;
      }
    } catch (thrown) {
      return `its configuration cannot be read (${(thrown as NodeJS.ErrnoException).code ?? 'no reason given'})`;
    }
  };

  async function inFolder(folder: string): Promise<string | undefined> {
    if ((await isThere(join(folder, 'HEAD'))) && (await isThere(join(folder, 'objects'))))
      return `${folder} is a repository without a work tree`;
    const link = join(folder, '.git');
    const found = await orAbsent(stat(link));
    if (found === undefined) return (await isThere(link)) ? `${link} leads nowhere` : undefined;
    if (found.isDirectory()) return inRepository(link);
    const target = /^gitdir: (.+?)\n*$/.exec(await readFile(link, 'utf8'))?.[1];
    return target === undefined ? `${link} is not understood` : inRepository(resolve(folder, target));
  }

  async function inRepository(directory: string): Promise<string | undefined> {
    const shared = await orAbsent(readFile(join(directory, 'commondir'), 'utf8'));
    const common = shared === undefined ? directory : resolve(directory, shared.replace(/\n+$/, ''));
    for (const place of new Set([directory, common])) {
      for (const name of ['config', 'config.worktree']) {
        const why = await inFile(join(place, name));
        if (why !== undefined) return why;
      }
      // Runs when a read brings the index up to date.
      const hook = join(place, 'hooks/post-index-change');
      if (await isThere(hook)) return `${hook} is there`;
    }
    return inIndex(join(directory, 'index'));
  }

  /** A submodule is read by its own configuration: four bytes of an entry's mode tell one, seldom something else. */
  async function inIndex(file: string): Promise<string | undefined> {
    const index = await orAbsent(stat(file));
    if (index === undefined) return undefined;
    if (index.size > MOST_BYTES) return `${file} is too large to look through`;
    const bytes = await readFile(file);
    if (bytes.includes('link\0')) return `${file} is split`;
    return bytes.includes(Buffer.from([0, 0, 0xe0, 0])) ? 'it has submodules' : undefined;
  }

  async function inFile(file: string): Promise<string | undefined> {
    const found = await orAbsent(stat(file, { bigint: true }));
    if (found === undefined) return undefined;
    const version = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
    const known = seen.get(file);
    if (known?.version === version) return known.why;
    const why = found.size > MOST_BYTES ? `${file} is too large` : whyOf(file, await readFile(file, 'utf8'));
    seen.set(file, { version, why });
    return why;
  }
}

function whyOf(file: string, text: string): string | undefined {
  const variables = gitVariables(text);
  if (variables === undefined) return `${file} is not understood`;
  const executable = variables.find(
    ({ name, value }) =>
      EXECUTABLE.test(name) &&
      !(/^(core\.(fsmonitor|splitindex)|log\.showsignature)$/.test(name) && value !== undefined && OFF.test(value)),
  );
  return executable === undefined ? undefined : `${file} sets ${executable.name}`;
}

async function isThere(path: string): Promise<boolean> {
  return (await orAbsent(lstat(path))) !== undefined;
}

/** Undefined where nothing is; every other failure is the caller's. */
async function orAbsent<T>(looked: Promise<T>): Promise<T | undefined> {
  try {
    return await looked;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw thrown;
  }
}
