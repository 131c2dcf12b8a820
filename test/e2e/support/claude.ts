import type { ModelServer } from '../../doubles/model/index.ts';
import { type CommandOptions, type RunningCommand, startCommand } from './command-line.ts';
import { installAgent } from './install-agents.ts';
import { createWorkplace, type Workplace } from './workplace.ts';

export interface ClaudeOptions extends Partial<CommandOptions> {
  model: ModelServer;
  workplace: Workplace;
}

/** A workplace in which `claude` is the pinned Claude Code, installed on first use. */
export async function claudeWorkplace(): Promise<Workplace> {
  const { binDir } = await installAgent('claude-code');
  return createWorkplace([binDir]);
}

/** `claude -p <prompt>` with its events on stdout, to be used alone or after `handraise run --`. */
export function claudeArguments(prompt: string, ...flags: string[]): [string, ...string[]] {
  return [
    'claude',
    '-p',
    prompt,
    '--output-format',
    'stream-json',
    '--verbose',
    '--model',
    'claude-sonnet-4-5',
    ...flags,
  ];
}

/** Runs a command line in which Claude Code talks to `model` and to nobody else. */
export function startClaude(command: readonly [string, ...string[]], options: ClaudeOptions): RunningCommand {
  const { model, environment, ...rest } = options;
  return startCommand(command, { ...rest, environment: { ...claudeEnvironment(model), ...environment } });
}

/** What points Claude Code at `model` and keeps it off the network. */
export function claudeEnvironment(model: ModelServer): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: model.apiKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  };
}
