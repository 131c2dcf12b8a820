// The parts of the Claude Agent SDK's types that handraise meets, by their structure (0.3.333), so that the SDK is no
// dependency.

/** Its `CanUseTool`. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: CanUseToolOptions,
) => Promise<PermissionResult>;

/** What handraise reads of it. Suggestions of lasting rules are there, too, and never taken. */
export interface CanUseToolOptions {
  /** Aborted when the call is not wanted any more: it is withdrawn then. */
  readonly signal: AbortSignal;
  readonly toolUseID: string;
  /** The sub-agent that makes the call. */
  readonly agentID?: string;
}

/** Its `PermissionResult`; always with `updatedInput`, never with `updatedPermissions`. */
export type PermissionResult =
  | { behavior: 'allow'; updatedInput: Record<string, unknown> }
  | { behavior: 'deny'; message: string };

/** Its `HookCallback`. Handraise's own decides nothing. */
export type HookCallback = (input: object) => Promise<Record<string, never>>;

/** Its `HookCallbackMatcher`. */
export interface HookMatcher {
  matcher?: string;
  hooks: HookCallback[];
}

/** What handraise adds to the options of one `query`. */
export interface ClaudeAgentOptions {
  canUseTool: CanUseTool;
  settings: { permissions: { ask: string[] }; sandbox: { autoAllowBashIfSandboxed: false } };
  hooks: Record<'PreToolUse' | 'UserPromptSubmit' | 'Stop' | 'SessionEnd', HookMatcher[]>;
  /** The SDK gives this to the agent in place of `process.env`. */
  env: Record<string, string>;
}
