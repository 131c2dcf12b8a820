import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  /** Everything it imports, statically or not: repository paths for its own files, package names for others. */
  readonly imports: readonly string[];
  /** Imports that remain at run time and are not lazy: type-only and `import()` ones left out. */
  readonly eager: readonly string[];
}

/** Every TypeScript file below the folders. */
export function sourceFiles(...folders: string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(join(folder, name))),
  );
}

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const LAZY = /\bimport\(\s*'([^']+)'\s*\)/g;

function read(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const statics = [...text.matchAll(STATIC)].map((match) => ({
    typeOnly: match[1] !== undefined,
    to: resolve(path, match[2] ?? ''),
  }));
  const lazy = [...text.matchAll(LAZY)].map((match) => resolve(path, match[1] ?? ''));
  return {
    path: path.replaceAll('\\', '/'),
    lines: text.split('\n').length - 1,
    imports: [...statics.map((found) => found.to), ...lazy],
    eager: statics.filter((found) => !found.typeOnly).map((found) => found.to),
  };
}

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('.'))
    return relative(ROOT, normalize(join(ROOT, dirname(from), specifier))).replaceAll('\\', '/');
  if (specifier.startsWith('node:')) return 'node:';
  const [scope = '', name] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
