/** A program that an agent starts: absolute, with its arguments, without npx (which costs 0.3 s a start). */
interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The run judges every step of the agent. */
export interface Gating {
  /** Called before each step, with what the agent knows about it on standard input. */
  readonly hook: StartCommand;
}

/** What an integration gets to attach the bridge with. */
export interface Attachment {
  /** Whether somebody can be asked. Else the agent is told to proceed on its own and gets no tool to ask with. */
  readonly asks: boolean;
  /** Absent where steps are not judged: by the configuration, or because the integration cannot have them judged. */
  readonly gate?: Gating;
  /** Path of the per-call socket. */
  readonly socketPath: string;
  /** How the bridge is started. `--tools` says what it serves; `ask` if nothing does. */
  readonly bridge: StartCommand;
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
 * directory only) and returns the command line; it starts nothing. `attachment` is absent when nobody can be asked and no
 * step is judged: the agent is then told to proceed on its own, and its built-in question tool stays denied.
 * Throws `HandraiseError` code `usage` when the user's own flags cannot be combined with ours.
 */
export interface AgentIntegration {
  readonly name: string;
  /** Whether this integration is meant for the program. */
  matches(program: string): boolean;
  /** Whether every step of such an agent can be made to come before the gate. */
  readonly gated: boolean;
  prepare(commandLine: readonly string[], attachment: Attachment | undefined): Promise<PreparedAgent>;
}
