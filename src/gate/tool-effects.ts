import { homedir } from 'node:os';
import type { CallFacts, ToolCall } from '../core/ports/gate.ts';
import { classifyCommand } from './effects/classify.ts';
import { type Effect, type EffectTag, isHigher } from './effects/effect.ts';
import { persistenceOf } from './effects/redirects.ts';
import { isSecretFile } from './effects/secrets.ts';
import type { ClassifyCall, GatedStep } from './gated-step.ts';
import { createGitHelpers, type GitHelpers } from './git-configuration.ts';
import { isInside, realTarget } from './real-target.ts';
import type { GateSettings } from './settings.ts';

/** Claude Code's own tools that change nothing themselves; the calls of a sub-agent are judged one by one. */
const READS: ReadonlySet<string> = new Set(
  'Agent BashOutput Glob Grep LS NotebookRead Read Task TodoRead TodoWrite mcp__operator__ask'.split(' '),
);
const FETCHES: ReadonlySet<string> = new Set(['WebFetch', 'WebSearch']);
/** Tools that write the one file that a member of their input names. */
const WRITES: Readonly<Record<string, string>> = {
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
  Write: 'file_path',
};

/** Configuration, state and sockets of handraise, by where they are. */
const OWN_FILES =
  /(^|\/)(\.config|\.local\/state)\/handraise(\/|$)|(^|\/)handraise\.ya?ml$|(^|\/)\.?handraise[\w-]*\.sock$/;

/**
 * Judges tool calls by the tool's name, and commands by what they say. A tool that no table and no setting names is
 * unknown, whatever it calls itself.
 */
export function createToolClassifier(
  settings: Pick<GateSettings, 'fetch' | 'mcpTools'>,
  workspace: string,
  gitHelpers: GitHelpers = createGitHelpers(process.env, homedir()),
): ClassifyCall {
  return async (call, facts) => {
    const { tool } = call;
    const command = memberOf(call.input, 'command');
    if (tool === 'Bash' && typeof command === 'string') return commandStep(command, facts, gitHelpers);
    return toolStep(call, facts);
  };

  async function toolStep({ tool, input }: ToolCall, facts: CallFacts): Promise<GatedStep> {
    const file = WRITES[tool];
    if (file !== undefined) return writeStep(memberOf(input, file), facts);
    if (READS.has(tool)) {
      const path = memberOf(input, 'file_path') ?? memberOf(input, 'path');
      if (typeof path !== 'string') return plain('read', 'reads');
      if (OWN_FILES.test(path)) return plain('read', 'reads what is handraise’s own', 'names-handraise');
      return isSecretFile(path)
        ? plain('read', 'reads a file that may hold a secret', 'secret-read')
        : plain('read', 'reads');
    }
    if (FETCHES.has(tool)) {
      const step = plain('read', 'fetches from the network', 'network');
      return settings.fetch === 'read' ? step : { ...step, asked: true };
    }
    const set = Object.hasOwn(settings.mcpTools, tool) ? settings.mcpTools[tool] : undefined;
    if (set !== undefined) return plain(set, 'as the configuration says of this tool');
    return plain('unknown', `nothing is known about the tool ${tool}`);
  }

  async function writeStep(path: unknown, { cwd }: CallFacts): Promise<GatedStep> {
    const target = typeof path === 'string' ? await realTarget(path, cwd) : undefined;
    if (target === undefined) return plain('unknown', 'which file it writes cannot be told');
    const isLater = persistenceOf(target).length > 0;
    const own: EffectTag[] = OWN_FILES.test(target) ? ['names-handraise'] : [];
    return {
      ...plain('write', 'writes a file', ...persistenceOf(target), ...own),
      targets: [{ path: target, inside: isInside(target, workspace), later: isLater }],
    };
  }
}

async function commandStep(command: string, { cwd }: CallFacts, gitHelpers: GitHelpers): Promise<GatedStep> {
  const { effect, reason, part, tags } = classifyCommand(command);
  const step = { tags, programs: [], targets: [], hosts: [], part };
  if (cwd === null && effect !== 'external') {
    return { ...step, effect: 'unknown', reason: `${reason}; where it runs is not known` };
  }
  if (cwd !== null && tags.includes('needs:git-neutralised') && isHigher('unknown', effect)) {
    const helper = await gitHelpers(cwd);
    if (helper !== undefined) return { ...step, effect: 'unknown', reason: `git may start a program: ${helper}` };
  }
  return { ...step, effect, reason };
}

function plain(effect: Effect, reason: string, ...tags: EffectTag[]): GatedStep {
  return { effect, reason, tags, programs: [], targets: [], hosts: [] };
}

function memberOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
