import { AgentRun } from './agent-run.ts';
import { createScratch } from './scratch.ts';
import { openWorkspace, type PlaygroundWorkspace } from './workspace.ts';

/** Everything the demonstration needs: a Slack, a Discord, a place to work in, and an agent that is not started yet. */
export interface Stage {
  readonly workspace: PlaygroundWorkspace;
  readonly agent: AgentRun;
  /** Ends the agent (its cards settle), then the platforms; removes every file. */
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const workspace = await openWorkspace();
  const scratch = await createScratch().catch(async (error: unknown) => {
    await workspace.close();
    throw error;
  });
  const agent = new AgentRun(workspace, scratch);
  return {
    workspace,
    agent,
    async close() {
      await agent.stop();
      await workspace.close();
      await scratch.remove();
    },
  };
}
