import { agentEnvironment } from '../agents/environment.ts';
import { integrationFor } from '../agents/integrations.ts';
import { programOf } from '../agents/program.ts';
import { askableBinding } from '../config/binding.ts';
import { loadConfig } from '../config/load.ts';
import { type SessionOptions, thisSession } from '../owner/session.ts';
import { runAgent } from './agent-process.ts';
import { watchSignals } from './signals.ts';
import { catchStrayFailures } from './stray-failures.ts';

export interface RunOptions extends SessionOptions {
  readonly agent?: string;
}

/**
 * `handraise run -- <agent…>`: starts the agent with somebody to ask, if the configuration names somebody, and ends with
 * its exit code. Standard output and error are the agent's alone; what goes wrong on our side meanwhile is logged.
 */
export async function run(commandLine: readonly string[], options: RunOptions): Promise<number> {
  const signals = watchSignals();
  const stray = catchStrayFailures();
  try {
    const integration = integrationFor(commandLine[0] ?? '', options.agent);
    const config = await loadConfig({ flags: { config: options.config }, env: process.env });
    const session = await thisSession({ name: integration.name, ...programIn(integration.name, commandLine) }, options);
    if (options.script === undefined && config.redis === undefined && !askableBinding(config.bindings, session)) {
      if (options.verbose === true) process.stderr.write(HEADLESS);
      if (!integration.gated || config.gate?.writes === 'open') {
        // There is no log to keep a stray failure in, and nothing of ours runs that could fail: Node's own way will do.
        stray.stop();
        const agent = await integration.prepare(commandLine, undefined);
        return await runAgent(agent, agentEnvironment(process.env), signals);
      }
    }
    // Only now: what an attached run takes besides is most of the start.
    const { runAttached } = await import('./run-attached.ts');
    return await runAttached({ commandLine, integration, owner: { ...options, config, session }, signals, stray });
  } finally {
    stray.stop();
    signals.stop();
  }
}

const HEADLESS = 'handraise: no binding lets this run ask; it is headless\n';

/** Only `generic` says nothing about who asks. */
function programIn(integration: string, commandLine: readonly string[]): { program?: string } {
  return integration === 'generic' ? { program: programOf(commandLine) } : {};
}
