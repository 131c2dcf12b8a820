import { agentEnvironment } from '../agents/environment.ts';
import { gitWithoutHelpers } from '../agents/git-environment.ts';
import { frameOf } from '../bridge/hook-facts.ts';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import { GateDesk } from '../listener/gate-desk.ts';
import { type AgentDeps, canUseToolBy } from './can-use-tool.ts';
import type { ClaudeAgentOptions, HookMatcher } from './claude-agent-types.ts';

/**
 * The options of one query, with the host's own in them. `permissions.ask: ["*"]` beats allow rules, every permission mode
 * and what other hooks say (measured with Claude Code 2.1.197), so that every call comes before `canUseTool`. Each query
 * has a desk of its own: a new prompt in one ends no turn of another.
 */
export function claudeOptionsBy<T extends object = Record<never, never>>(
  deps: AgentDeps,
  env: NodeJS.ProcessEnv,
  own?: T,
): T & ClaudeAgentOptions {
  const given: Readonly<Record<string, unknown>> = { ...own };
  for (const name of ['canUseTool', 'permissionPromptToolName']) {
    if (given[name] !== undefined) throw undoing(`${name} would decide about calls in place of handraise`);
  }
  const desk = new GateDesk(deps.inner, deps.sessionId);
  const added: ClaudeAgentOptions = {
    canUseTool: canUseToolBy(deps, desk),
    settings: settingsWith(memberOf(given, 'settings')),
    hooks: hooksWith(memberOf(given, 'hooks'), desk, deps.log),
    env: agentsOwn(given['env'] === undefined ? env : (memberOf(given, 'env') as NodeJS.ProcessEnv)),
  };
  return { ...own, ...added } as T & ClaudeAgentOptions;
}

type Members = Readonly<Record<string, unknown>>;

function settingsWith(own: Members): ClaudeAgentOptions['settings'] {
  if (own['disableAllHooks'] === true) {
    throw undoing('settings.disableAllHooks would keep from handraise where each call runs and who wants it');
  }
  const permissions = memberOf(own, 'permissions');
  return {
    ...own,
    permissions: { ...permissions, ask: [...listOf<string>(permissions, 'ask'), '*'] },
    // A sandboxed command would otherwise run without being asked about.
    sandbox: { ...memberOf(own, 'sandbox'), autoAllowBashIfSandboxed: false },
  };
}

/** They only tell; what fails is a fact that is missing, with which less is allowed. */
function hooksWith(own: Members, desk: GateDesk, log: Logger): ClaudeAgentOptions['hooks'] {
  const tell = async (input: object) => {
    try {
      const frame = frameOf(JSON.stringify(input));
      if (frame?.kind === 'observe') desk.observe(frame);
      else if (frame !== undefined) await desk.lifecycle(frame);
    } catch (thrown) {
      log.warn({ error: sentenceOf(thrown) }, 'what a hook told could not be used');
    }
    return {};
  };
  const withOurs = (event: string): HookMatcher[] => [...listOf<HookMatcher>(own, event), { hooks: [tell] }];
  return {
    ...own,
    PreToolUse: withOurs('PreToolUse'),
    UserPromptSubmit: withOurs('UserPromptSubmit'),
    Stop: withOurs('Stop'),
    SessionEnd: withOurs('SessionEnd'),
  };
}

/** Tokens of the chat are not for agents, and git starts nothing by itself where the agent only reads. */
function agentsOwn(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = agentEnvironment(env);
  return { ...kept, ...gitWithoutHelpers(kept) };
}

function memberOf(options: Members, name: string): Members {
  const value = options[name];
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw undoing(`${name} is no object, so that handraise's own cannot be added`);
}

function listOf<T>(options: Members, name: string): readonly T[] {
  const value = options[name];
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw undoing(`${name} is no list, so that handraise's own cannot be added`);
}

function undoing(sentence: string): HandraiseError {
  return new HandraiseError(`These options cannot be used with handraise: ${sentence}.`, {
    code: 'usage',
    hint: 'Leave it out, or give it as an object.',
  });
}
