import type { Effect, EffectTag, Finding } from './effect.ts';
import { targetsIn } from './facts.ts';
import { type Folders, pathsOf } from './folders.ts';
import { namesSecret } from './secrets.ts';
import { argumentOf, type KnownPrefixes } from './shell/argument.ts';
import type { Redirect, Redirection } from './shell/parse.ts';

/** What a redirect does by itself; undefined when it only reads a file or duplicates standard streams. */
export function judgeRedirect(redirect: Redirection, known: KnownPrefixes, folders: Folders): Finding | undefined {
  if (redirect.type !== 'Redirect') return undefined;
  const part = `${redirect.operator} ${redirect.target?.text ?? ''}`.trim();
  const finding = (effect: Effect, reason: string, ...tags: EffectTag[]): Finding => ({ effect, reason, part, tags });
  if (redirect.target === undefined) return finding('unknown', 'a redirect without a target');
  const word = argumentOf(redirect.target, known);
  const target = { ...word, paths: pathsOf(word, folders) };
  if (/^\/dev\/(tcp|udp)(\/|$)/.test(target.text))
    return {
      ...finding('external', 'opens a network connection', 'network'),
      hosts: target.text.split('/').slice(3, 4).filter(Boolean),
    };
  if (duplicates(redirect)) {
    // A descriptor that an earlier `exec` opened may be a file.
    return target.literal && /^([012]|-)$/.test(target.text) ? undefined : finding('unknown', 'uses a descriptor');
  }
  if (redirect.descriptor?.type === 'FileDescriptorVariable') return finding('unknown', 'sets a shell variable');
  if (redirect.operator === '<') {
    // What is not known to begin otherwise may be a network address.
    if (target.literal || (target.prefix !== '' && !'/dev/tcp/'.startsWith(target.prefix.slice(0, 9))))
      return namesSecret(target) ? finding('read', 'reads a file that may hold a secret', 'secret-read') : undefined;
    return finding('unknown', 'reads from a place that is not known', 'dynamic');
  }
  if (target.literal && target.text === '/dev/null') return undefined;
  return {
    ...finding('write', 'writes to a file', ...target.paths.flatMap(persistenceOf)),
    ...targetsIn([target], folders),
  };
}

function duplicates({ operator, target }: Redirect): boolean {
  if (operator === '<&') return true;
  return operator === '>&' && /^(\d+-?|-|\$.*)$/.test(target?.text ?? '');
}

/** Places whose content decides what runs later without a question (product.md "Grant proposals"). */
const DECIDES_LATER =
  /(^|\/)(\.git\/(hooks\/|config|info\/attributes|modules\/)|\.github\/workflows\/|\.gitlab-ci\.ya?ml$|\.circleci\/|\.husky\/|\.claude\/|\.codex\/|\.mcp\.json$|\.cursor\/|\.vscode\/(tasks|settings|launch)\.json$|\.(bash|zsh)(rc|_profile|env|_login|_logout)$|\.profile$|\.zprofile$|\.envrc$|\.npmrc$|\.gitconfig$|\.ssh\/|\.config\/(git|fish)\/|\.config\/(autostart|systemd)\/|\.gitmodules$|\.gitattributes$|\.pre-commit-config\.ya?ml$|lefthook\.ya?ml$|\.mcp\/|\.gemini\/|\.opencode\/|opencode\.json$|\.devcontainer\/|\.bash_aliases$|\.inputrc$|\.vimrc$|Jenkinsfile$|azure-pipelines\.ya?ml$|\.drone\.ya?ml$|\.buildkite\/|\.github\/actions\/|crontab|package\.json$|CLAUDE(\.local)?\.md$|AGENTS\.md$|GEMINI\.md$)|^\/(etc|usr\/local\/bin|lib\/systemd)\//;

export function persistenceOf(path: string): readonly EffectTag[] {
  return DECIDES_LATER.test(path) ? ['persistence'] : [];
}
