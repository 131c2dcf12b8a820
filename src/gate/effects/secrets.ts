import type { Parsed } from './flags.ts';
import { type Judgement, READ } from './rule.ts';

/** Files that are there to hold a secret, by their names. */
const SECRET_FILE =
  /(^|\/)(\.env(\.[\w.-]+)?|\.envrc|\.netrc|\.pgpass|\.npmrc|\.pypirc|\.git-credentials|\.dockercfg|id_(rsa|dsa|ecdsa|ed25519)|[\w.-]*\.(pem|key|p12|pfx|jks|keystore|kdbx)|credentials(\.json)?|secrets?\.(json|ya?ml|toml|env)|service-account[\w-]*\.json|kubeconfig|\.htpasswd|shadow|auth\.json|token(s)?(\.txt|\.json)?)$|(^|\/)\.(ssh|aws|gnupg|kube|docker|config\/gcloud)\/|^\/proc\/(\d+|self)\/(environ|mem|cmdline)/i;

export function isSecretFile(path: string): boolean {
  return SECRET_FILE.test(path) && !/\.(example|sample|template|dist|pub)$/i.test(path);
}

/** Stays a read, and says that what is read may be a secret. */
export function secretsIn({ operands }: Pick<Parsed, 'operands'>): Judgement | undefined {
  return operands.some(({ text }) => isSecretFile(text))
    ? { ...READ, reason: 'reads a file that may hold a secret', tags: ['secret-read'] }
    : undefined;
}
