import { globMatches } from '../../src/config/glob.ts';

/**
 * Whether `.dockerignore` keeps a path out of the build context: the last rule that matches it, or a folder it is in,
 * decides; `!` takes it back in.
 */
export function dockerIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ pattern: line.replace(/^!/, ''), keeps: line.startsWith('!') }));
  return (path) => {
    const parts = path.split('/');
    const heads = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    const matching = rules.findLast(({ pattern }) => heads.some((head) => matches(pattern, head)));
    return matching !== undefined && !matching.keeps;
  };
}

/** Unlike in our own globs, a lone `*` stays within one part here. */
function matches(pattern: string, path: string): boolean {
  return pattern === '*' ? !path.includes('/') : globMatches(pattern, path);
}
