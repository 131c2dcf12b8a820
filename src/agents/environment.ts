/**
 * Variables of other programs that handraise reads and no agent may see. A token in an agent's environment is a token in
 * its shell's environment. All of `HANDRAISE_*` goes, too, without being listed.
 */
const SECRET_OR_OURS = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_API_URL',
  'DISCORD_BOT_TOKEN',
  'DISCORD_API_URL',
  // The socket of the older host. Inherited, it belongs to somebody else's call.
  'KITSOKI_OPERATOR_ASK_SOCK',
] as const;

const REMOVED: ReadonlySet<string> = new Set(SECRET_OR_OURS.flatMap((name) => [name, `${name}_FILE`]));

/**
 * What is left of an environment for the agent: everything but handraise's own variables. The socket of this very call
 * is added by the integration afterwards; one inherited from an outer run is not ours to pass on.
 */
export function agentEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || REMOVED.has(name) || name.startsWith('HANDRAISE_')) continue;
    kept[name] = value;
  }
  return kept;
}
