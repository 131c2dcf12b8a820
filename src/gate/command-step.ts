import { stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import type { ProposedTarget } from '../core/proposals/contract.ts';
import { filesNamedIn } from './digest/named-files.ts';
import { type Classification, classifyCommand } from './effects/classify.ts';
import { type EffectTag, isHigher } from './effects/effect.ts';
import type { WriteTarget } from './effects/facts.ts';
import { persistenceOf } from './effects/redirects.ts';
import { isSecretFile } from './effects/secrets.ts';
import type { GatedStep } from './gated-step.ts';
import type { GitHelpers } from './git-configuration.ts';
import { isOwnFile } from './own-files.ts';
import type { ProgramLookup } from './program-lookup.ts';
import { followedPath, isInside } from './real-target.ts';

/** What a command's text does not say. */
export interface CommandGround {
  readonly workspace: string;
  readonly home: string;
  readonly gitHelpers: GitHelpers;
  readonly programs: ProgramLookup;
}

/** Judges a command by its text, and by what it would meet on this disk: programs, links, configuration of git. */
export async function commandStep(command: string, cwd: string | null, ground: CommandGround): Promise<GatedStep> {
  const found = classifyCommand(command, cwd ?? undefined);
  const written = await targetsOf(found, cwd, ground);
  const step: GatedStep = {
    effect: found.effect,
    reason: found.reason,
    part: found.part,
    tags: [...new Set([...found.tags, ...written.tags, ...(await tagsOfLinks(command, cwd, found))])],
    programs: found.programs,
    targets: written.targets,
    hosts: found.hosts,
    ...(written.isAll ? {} : { writesMore: true }),
  };
  if (!isHigher('unknown', found.effect)) return step;
  const why = await whyUnknown(found, cwd, ground);
  return why === undefined ? step : { ...step, effect: 'unknown', reason: why };
}

/** Why nobody can tell what it would do, although its words can be read. */
async function whyUnknown(
  { reason, tags, programs }: Classification,
  cwd: string | null,
  { gitHelpers, programs: lookup }: CommandGround,
): Promise<string | undefined> {
  if (cwd === null) return `${reason}; where it runs is not known`;
  for (const name of new Set(programs.map((program) => program.name))) {
    const file = await lookup(name, cwd);
    if (file !== undefined) return `${name} would be ${file}, which may be any program`;
  }
  const helper = tags.includes('needs:git-neutralised') ? await gitHelpers(cwd) : undefined;
  return helper === undefined ? undefined : `git may start a program: ${helper}`;
}

interface Written {
  readonly targets: readonly ProposedTarget[];
  readonly tags: readonly EffectTag[];
  /** Nothing else is written. */
  readonly isAll: boolean;
}

async function targetsOf(found: Classification, cwd: string | null, ground: CommandGround): Promise<Written> {
  const targets = new Map<string, ProposedTarget>();
  const tags = new Set<EffectTag>();
  let isAll = !found.writesMore;
  for (const target of found.targets) {
    for (const folder of target.folders) {
      const paths = await pathsOf(target, folder, cwd, ground.home);
      if (paths === undefined) isAll = false;
      for (const path of paths ?? []) {
        const later = persistenceOf(path);
        for (const tag of later) tags.add(tag);
        if (isOwnFile(path)) tags.add('names-handraise');
        targets.set(path, { path, inside: isInside(path, ground.workspace), later: later.length > 0 });
      }
    }
  }
  return { targets: [...targets.values()], tags: [...tags], isAll };
}

/** As the kernel would go there from the folder that a `cd` left the shell in; undefined where that cannot be told. */
async function pathsOf(
  { path, into = [] }: WriteTarget,
  folder: string,
  cwd: string | null,
  home: string,
): Promise<readonly string[] | undefined> {
  const place = underHome(path, home);
  const from = place?.startsWith('/') === true ? '/' : folderAt(folder, cwd, home);
  const base = from === undefined ? undefined : await followedPath(from);
  if (place === undefined || base === undefined) return undefined;
  const named = place.startsWith('/') ? place : `${base}/${place}`;
  const target = await followedPath(named);
  if (target === undefined || into.length === 0 || !(await isFolder(target))) {
    return target === undefined ? undefined : [target];
  }
  const inside: string[] = [];
  for (const name of into) {
    const one = name === '' || name === '.' || name === '..' ? undefined : await followedPath(`${target}/${name}`);
    if (one === undefined) return undefined;
    inside.push(one);
  }
  return inside;
}

/** `cd` goes by names: behind a link, `..` is where the link is. */
function folderAt(folder: string, cwd: string | null, home: string): string | undefined {
  const place = underHome(folder, home);
  if (place === undefined || (cwd === null && !place.startsWith('/'))) return undefined;
  return resolve(cwd ?? '/', place);
}

function underHome(path: string, home: string): string | undefined {
  if (!path.startsWith('~')) return path;
  return path === '~' || path.startsWith('~/') ? posix.join(home, path.slice(1)) : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Not there, or not to be looked at: then nothing is put into it.
    return false;
  }
}

/** A file that only leads to a secret, or to what is handraise's own, by another name. */
async function tagsOfLinks(command: string, cwd: string | null, { effect }: Classification): Promise<EffectTag[]> {
  if (effect === 'external' || effect === 'unknown') return [];
  const tags = new Set<EffectTag>();
  for (const { path } of filesNamedIn(command, cwd).files) {
    const target = await followedPath(path);
    if (target === undefined || target === path) continue;
    if (isSecretFile(target)) tags.add('secret-read');
    if (isOwnFile(target)) tags.add('names-handraise');
  }
  return [...tags];
}
