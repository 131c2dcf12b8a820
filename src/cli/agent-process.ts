import { execa } from 'execa';
import { HandraiseError } from '../core/errors.ts';
import type { PreparedAgent } from '../core/ports/agent-integration.ts';
import { exitCodeOfSignal } from './exit-codes.ts';
import type { Signals } from './signals.ts';

/**
 * Runs the agent to its end with our own standard streams, and returns its exit code (128+n on a signal). Signals are
 * passed on and nothing is added to them: an agent that ignores one is waited for. Throws `unavailable` when the program
 * cannot be started.
 */
export async function runAgent(
  agent: PreparedAgent,
  environment: Readonly<Record<string, string>>,
  signals: Signals,
): Promise<number> {
  const running = execa(agent.command, agent.args, {
    stdio: 'inherit',
    env: { ...environment, ...agent.environment },
    extendEnv: false,
    reject: false,
    // SIGTERM is the agent's to handle, in its own time.
    forceKillAfterDelay: false,
  });
  signals.forwardTo((signal) => running.kill(signal));
  const { exitCode, signal, code, originalMessage } = await running;
  if (exitCode !== undefined) return exitCode;
  if (signal !== undefined) return exitCodeOfSignal(signal as NodeJS.Signals);
  throw notStarted(agent.command, code, originalMessage);
}

function notStarted(command: string, code: string | undefined, message: string | undefined): HandraiseError {
  const why =
    code === 'ENOENT'
      ? 'there is no such program'
      : code === 'EACCES'
        ? 'it may not be executed'
        : (message ?? 'it could not be started');
  return new HandraiseError(`cannot start ${command}: ${why}`, {
    code: 'unavailable',
    hint:
      code === 'ENOENT' ? 'Check its spelling and PATH; the agent’s own command line follows "--".' : 'Check the file.',
  });
}
