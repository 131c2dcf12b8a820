import { AgentRun, type Agents } from './agent-run.ts';
import { together } from './agents-together.ts';
import { createScratch } from './scratch.ts';
import { openSharedPart } from './shared.ts';
import { openWorkspace, type PlaygroundWorkspace } from './workspace.ts';

/** Everything the demonstration needs: a Slack, a Discord, places to work in, and agents that are not started yet. */
export interface Stage {
  readonly workspace: PlaygroundWorkspace;
  readonly agents: Agents;
  /** The name of each agent's project, which its cards show. */
  readonly projects: readonly string[];
  /** Ends the agents (their cards settle), then what they asked through, then the platforms; removes every file. */
  close(): Promise<void>;
}

const ONE = ['webshop'] as const;
const TWO = ['webshop', 'intranet'] as const;

/** With `redis`: two agents that hold no token, a gateway that has both platforms', and a Redis between them. */
export async function openStage({ redis }: { readonly redis: boolean }): Promise<Stage> {
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const workspace = await openWorkspace();
    closing.push(() => workspace.close());
    const projects = redis ? TWO : ONE;
    const scratch = await createScratch(projects);
    closing.push(() => scratch.remove());
    const { slack, channel, discord, discordChannel } = workspace;
    const tokens = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      DISCORD_BOT_TOKEN: discord.botToken,
      DISCORD_API_URL: discord.apiUrl,
    };
    let asking: Readonly<Record<string, string>> = {
      ...tokens,
      HANDRAISE_SLACK_CHANNEL: channel.id,
      HANDRAISE_DISCORD_CHANNEL: discordChannel.id,
    };
    if (redis) {
      const shared = await openSharedPart(workspace, scratch, tokens);
      closing.push(() => shared.close());
      asking = shared.ownersEnvironment;
    }
    const runs = scratch.projects.map((folder) => new AgentRun(folder, { ...scratch.environment, ...asking }));
    const named = new Map(projects.map((name, at) => [name, runs[at] as AgentRun]));
    const [only] = runs;
    const agents = runs.length === 1 && only !== undefined ? only : together(named);
    closing.push(() => agents.stop());
    return { workspace, agents, projects, close };
  } catch (error) {
    await close();
    throw error;
  }
}
