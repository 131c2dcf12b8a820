/** What an integration gets to attach the bridge with. */
export interface Attachment {
  /** Path of the per-call socket. */
  readonly socketPath: string;
  /** How the bridge is started: an absolute program and its arguments, without npx (it costs 0.3 s a start). */
  readonly bridge: { readonly command: string; readonly args: readonly string[] };
  /** An existing directory, 0700, that lives as long as the run: for config files. */
  readonly directory: string;
}

/** The command line to start, complete. */
export interface PreparedAgent {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the agent's environment, which has already lost every variable of handraise's own. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * How one kind of agent is started and attached. `prepare` writes what the agent reads (config files, inside the given
 * directory only) and returns the command line; it starts nothing. `attachment` is absent when nobody can be asked: the
 * agent is then told to proceed on its own, and its built-in question tool stays denied.
 * Throws `HandraiseError` code `usage` when the user's own flags cannot be combined with ours.
 */
export interface AgentIntegration {
  readonly name: string;
  /** Whether this integration is meant for the program. */
  matches(program: string): boolean;
  prepare(commandLine: readonly string[], attachment: Attachment | undefined): Promise<PreparedAgent>;
}
