import { type Judgement, READ } from './rule.ts';
import type { Argument } from './shell/argument.ts';

/** Files that are there to hold a secret, by their names. */
const SECRET_FILE =
  /(^|\/)(\.env(\.[\w.-]+)?|\.envrc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.dockercfg|\.vault-token|\.claude\.json|\.(bash|zsh|psql|mysql|python|node_repl|rediscli)_?history|id_(rsa|dsa|ecdsa|ed25519)|[\w.-]*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|tfstate|tfvars)|\.?credentials(\.json|\.toml)?|secrets?\.(json|ya?ml|toml|env)|service-account[\w-]*\.json|kubeconfig|\.htpasswd|g?shadow|auth\.json|token(s)?(\.txt|\.json)?)$|(^|\/)\.(ssh|aws|gnupg|kube|docker|azure|password-store|config\/(gcloud|gh|hub)|local\/share\/keyrings)\/|^\/proc\/([^/]+\/)*(environ|mem|cmdline)$|^\/run\/secrets\//i;

const NO_SECRET = /\.(example|sample|template|dist|pub)$/i;

export function isSecretFile(path: string): boolean {
  return SECRET_FILE.test(path) && !NO_SECRET.test(path);
}

/** Stays a read, and says that what is read may be a secret. */
export function secretsIn({ operands }: { readonly operands: readonly Argument[] }): Judgement | undefined {
  return operands.some(namesSecret) ? SECRET_READ : undefined;
}

const SECRET_READ: Judgement = { ...READ, reason: 'reads a file that may hold a secret', tags: ['secret-read'] };

/** Whether a word may be the name of a secret file, from wherever the script is and whatever its globs stand for. */
export function namesSecret({ text, pattern, paths = [] }: Argument): boolean {
  if (isSecretFile(text) || paths.some(isSecretFile)) return true;
  return pattern !== undefined && [pattern, ...paths].some((path) => GLOB.test(path) && mayMatchSecret(path));
}

const GLOB = /[*?[{]/;

/** Names that everybody has, for globs that stop short of them: each is matched with as many folders as it has. */
const SAMPLES = [
  ...['.env', '.env.local', '.envrc', '.netrc', '.npmrc', '.git-credentials', '.pgpass', '.bash_history'],
  ...['.ssh/id_rsa', '.ssh/id_ed25519', '.ssh/config', '.aws/credentials', '.kube/config', '.docker/config.json'],
  ...['.config/gh/hosts.yml', '.config/handraise/handraise.yaml', 'proc/1/environ'],
].map((sample) => sample.split('/'));

/** Most choices of one word's braces that are looked at; a word with more may be anything. */
const MOST_CHOICES = 64;

function mayMatchSecret(pattern: string): boolean {
  const all = choicesOf(pattern);
  if (all === undefined) return true;
  return all.some((one) => {
    if (!GLOB.test(one)) return isSecretFile(one);
    if (isSecretFile(one.replace(/[*?[\]]/g, ''))) return true;
    const parts = one.split('/');
    return SAMPLES.some((sample) => {
      const last = parts.slice(-sample.length);
      return last.length === sample.length && sample.every((name, at) => matches(last[at] ?? '', name));
    });
  });
}

/** `.{env,npmrc}` is `.env` and `.npmrc`. */
function choicesOf(pattern: string): readonly string[] | undefined {
  let all = [pattern];
  for (let rounds = 0; rounds < 8 && all.some((one) => CHOICE.test(one)); rounds += 1) {
    all = all.flatMap((one) => {
      const [, before = '', choices, after = ''] = CHOICE.exec(one) ?? [];
      return choices === undefined ? [one] : choices.split(',').map((choice) => `${before}${choice}${after}`);
    });
    if (all.length > MOST_CHOICES) return undefined;
  }
  return all;
}

const CHOICE = /^([^{}]*)\{([^{}]*)\}(.*)$/s;

/** One name against one part of a glob, as the shell does it: a dot at the beginning has to be written. */
function matches(part: string, name: string): boolean {
  if (name.startsWith('.') && !part.startsWith('.')) return false;
  // Classes and groups of any kind: whatever they are, one letter or more.
  const simple = part.replace(/[@?*+!]\([^()]*\)/g, '*').replace(/\[[^\]]*\]/g, '?');
  return wildcard(simple, name);
}

/** `*` and `?` without going back more than to the last `*`. */
function wildcard(pattern: string, name: string): boolean {
  let [at, on, star, mark] = [0, 0, -1, 0];
  while (on < name.length) {
    if (pattern[at] === '*') [star, mark, at] = [at, on, at + 1];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[on])) [at, on] = [at + 1, on + 1];
    else if (star >= 0) [at, mark, on] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
