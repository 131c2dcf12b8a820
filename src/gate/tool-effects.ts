import { homedir } from 'node:os';
import type { CallFacts, ToolCall } from '../core/ports/gate.ts';
import { type CommandGround, commandStep } from './command-step.ts';
import type { Effect, EffectTag } from './effects/effect.ts';
import { persistenceOf } from './effects/redirects.ts';
import { isSecretFile } from './effects/secrets.ts';
import type { ClassifyCall, GatedStep } from './gated-step.ts';
import { createGitHelpers, type GitHelpers } from './git-configuration.ts';
import { isOwnFile } from './own-files.ts';
import { createProgramLookup, type ProgramLookup } from './program-lookup.ts';
import { isInside, realTarget } from './real-target.ts';
import type { GateSettings } from './settings.ts';
import { commandOf, memberOf, textsOf } from './tools/members.ts';
import { filesOfPatch } from './tools/patch.ts';
import { kindOf, type ToolKind } from './tools/table.ts';

/**
 * Judges tool calls by the tool's name, and commands by what they say. A tool that no table and no setting names is
 * unknown, whatever it calls itself.
 */
export function createToolClassifier(
  settings: Pick<GateSettings, 'fetch' | 'mcpTools'>,
  workspace: string,
  gitHelpers: GitHelpers = createGitHelpers(process.env, homedir()),
  programs: ProgramLookup = createProgramLookup(process.env),
): ClassifyCall {
  const ground = { workspace, home: homedir(), gitHelpers, programs };
  return async (call, facts) => {
    const { tool, input } = call;
    const found = kindOf(tool);
    switch (found?.kind) {
      case 'reads':
        return plain('read', found.reason);
      case 'reads-files':
        return readStep(input, found, facts.cwd);
      case 'writes-file':
        return writeStep(textsOf(input, [found.path]), facts.cwd, workspace);
      case 'patch':
        return writeStep(filesOfPatch(textsOf(input, [found.patch])[0] ?? '') ?? [], facts.cwd, workspace);
      case 'shell':
        return shellStep(input, found, facts, ground);
      case 'fetches': {
        const step = plain('read', 'fetches from the network', 'network');
        return settings.fetch === 'read' ? step : { ...step, asked: true };
      }
      default:
        return otherStep(call, settings);
    }
  };
}

function otherStep({ tool }: ToolCall, { mcpTools }: Pick<GateSettings, 'mcpTools'>): GatedStep {
  const set = Object.hasOwn(mcpTools, tool) ? mcpTools[tool] : undefined;
  if (set !== undefined) return plain(set, 'as the configuration says of this tool');
  return plain('unknown', `nothing is known about the tool ${tool}`);
}

/** What a link leads to is what is read, so that both names are looked at. Without a path it reads where it is. */
async function readStep(
  input: unknown,
  { paths, globs }: Extract<ToolKind, { kind: 'reads-files' }>,
  cwd: string | null,
): Promise<GatedStep> {
  const named: string[] = [];
  for (const path of textsOf(input, paths)) {
    const target = await realTarget(path, cwd);
    if (target === undefined) return plain('unknown', 'which file it reads cannot be told');
    named.push(path, target);
  }
  // A folder by its name alone is everything in it.
  const all = named.flatMap((path) => [path, `${path}/`]);
  if (all.some((path) => isOwnFile(path))) {
    return plain('read', 'reads what is handraise’s own', 'names-handraise');
  }
  if (all.some(isSecretFile) || textsOf(input, globs).some(mayFitSecrets))
    return plain('read', 'reads a file that may hold a secret', 'secret-read');
  return plain('read', 'reads');
}

/** `*.{ts,pem}` is `*.ts` and `*.pem`; one of more choices than people write may fit anything. */
function mayFitSecrets(glob: string): boolean {
  let all = [glob];
  while (all.some((one) => CHOICE.test(one))) {
    all = all.flatMap((one) => {
      const [, before = '', choices, after = ''] = CHOICE.exec(one) ?? [];
      return choices === undefined ? [one] : choices.split(',').map((choice) => `${before}${choice}${after}`);
    });
    if (all.length > MOST_CHOICES) return true;
  }
  return all.some((one) => isSecretFile(one.replaceAll('*', '')));
}

const CHOICE = /^([^{}]*)\{([^{}]*)\}(.*)$/s;
const MOST_CHOICES = 256;

/** Nothing named is nothing known. */
async function writeStep(paths: readonly string[], cwd: string | null, workspace: string): Promise<GatedStep> {
  const targets: { path: string; inside: boolean; later: boolean }[] = [];
  const tags = new Set<EffectTag>();
  for (const path of paths) {
    const target = await realTarget(path, cwd);
    if (target === undefined) return plain('unknown', 'which file it writes cannot be told');
    const later = persistenceOf(target);
    for (const tag of later) tags.add(tag);
    if (isOwnFile(target)) tags.add('names-handraise');
    targets.push({ path: target, inside: isInside(target, workspace), later: later.length > 0 });
  }
  if (targets.length === 0) return plain('unknown', 'which file it writes cannot be told');
  return { ...plain('write', targets.length === 1 ? 'writes a file' : 'writes files', ...tags), targets };
}

async function shellStep(
  input: unknown,
  { command: member, folder }: Extract<ToolKind, { kind: 'shell' }>,
  { cwd: here }: CallFacts,
  ground: CommandGround,
): Promise<GatedStep> {
  const command = commandOf(memberOf(input, member));
  if (command === undefined) return plain('unknown', 'which command it runs cannot be told');
  const [elsewhere] = folder === undefined ? [] : textsOf(input, [folder]);
  const cwd = elsewhere === undefined ? here : await realTarget(elsewhere, here);
  return commandStep(command, cwd ?? null, ground);
}

function plain(effect: Effect, reason: string, ...tags: EffectTag[]): GatedStep {
  return { effect, reason, tags, programs: [], targets: [], hosts: [] };
}
