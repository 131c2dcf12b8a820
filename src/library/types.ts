import type { DenialKind, ToolCall } from '../core/ports/gate.ts';
import type { SubAgent } from '../core/sub-agent.ts';
import type { Asked } from '../owner/asked.ts';
import type { Proposed } from '../owner/propose-once.ts';
import type { CanUseTool, ClaudeAgentOptions } from './claude-agent-types.ts';

/** Every member may be left out: then it is as for `handraise run`, from the configuration and the environment. */
export interface HandraiseOptions {
  /** The configuration file; default: `HANDRAISE_CONFIG`, else the user's own (docs/configuration.md). */
  readonly config?: string;
  /** Where tokens and settings are read from, and where state is kept. Never changed. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The directory the agent works in. Default: the git top level around the working directory, else that itself. */
  readonly workspace?: string;
  /** For whom it runs, such as `slack:U01`; who that is may not decide on its steps, unless the binding says so. */
  readonly as?: string;
  /** A name for the session, such as one it is resumed by: letters, digits, `.`, `_`, `-`. Default: a random one. */
  readonly session?: string;
  /** What people know the agent by; bindings match it, too (`match.agent`). Default: `library`. */
  readonly agent?: string;
  /** How long a question or proposal waits, such as `"10m"`; from 60 s to 24 h. Default: the binding's. */
  readonly wait?: string;
  /** A file with scripted answers: for tests and examples, with no chat (docs/library.md). */
  readonly script?: string;
  /** Where events go, as JSON lines. Default: `events.jsonl` in the session's state directory. */
  readonly events?: string;
  /** Also logs to stderr, with debug lines. Default: false. */
  readonly verbose?: boolean;
}

/** One process's way to its operators. */
export interface Handraise {
  /** The session's name: its files lie in a directory of that name beneath the state directory. */
  readonly sessionId: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Nobody can be asked: questions end as `no_channel` at once, reads run, and every write is denied. */
  readonly headless: boolean;
  /**
   * Puts 1 to 4 questions to people and waits. Resolves for every way it can end, also when nobody answered. Rejects with
   * a `HandraiseError`: `invalid_questions` with what to change, `unavailable` after `close`.
   */
  ask(questions: QuestionsToAsk | QuestionToAsk, options?: AskOptions): Promise<Asked>;
  /**
   * Puts one step to those who may approve it, whatever the gate would say, and waits; what only reads is granted at
   * once. Only the outcome `granted` lets it run: once, exactly as given. Runs nothing itself. Rejects with a
   * `HandraiseError`: `usage` for what is no step, `refused` for what is never put to anybody (steps that touch
   * handraise itself, or are too large to review), `unavailable` after `close`.
   */
  propose(step: StepToPropose, options?: ProposeOptions): Promise<Proposed>;
  /** The write gate, for the tool calls of an agent. */
  readonly gate: HandraiseGate;
  /**
   * The permission callback of the Claude Agent SDK: its questions (AskUserQuestion) go to people as questions, every
   * other call through the gate. Never rejects; whatever fails is a denial. The SDK does not tell it where a call runs:
   * `claudeOptions` adds what does.
   */
  readonly canUseTool: CanUseTool;
  /**
   * Options for one `query` of the Claude Agent SDK, with yours in them: `canUseTool`; settings that bring every call
   * before it; hooks that tell where a call runs, who wants it and when its turn ends; an environment without
   * handraise's own variables and tokens. Make new ones for every query. Throws `usage` for options that would undo that.
   */
  claudeOptions<T extends object = Record<never, never>>(own?: T): T & ClaudeAgentOptions;
  /**
   * Withdraws what is open, settles its cards within 3 s and gives everything back: sockets, files, the lock on the
   * token. Nothing of handraise keeps the process alive afterwards. Again: the same promise.
   */
  close(): Promise<void>;
}

/** 1 to 4 questions with different texts, answered together. */
export interface QuestionsToAsk {
  readonly questions: readonly QuestionToAsk[];
  /** Recorded, not shown. */
  readonly metadata?: { readonly source?: string };
}

export interface QuestionToAsk {
  /** The whole question; answers are keyed by it. */
  readonly question: string;
  /** A short tag, 1 to 12 characters; longer ones are cut on the card. Default: `Question`. */
  readonly header?: string;
  /** None, for one text box; or 2 to 4. A label alone will do. "Other" with a text box is always added. */
  readonly options?: readonly (string | OptionToOffer)[];
  /** Several options may be chosen together; the answer is then a list. Default: false. */
  readonly multiSelect?: boolean;
}

export interface OptionToOffer {
  readonly label: string;
  readonly description?: string;
  /** Markdown or an HTML fragment to compare, shown as plain text; not with `multiSelect`. */
  readonly preview?: string;
}

export interface AskOptions {
  /** Withdraws the question when it is aborted. */
  readonly signal?: AbortSignal;
  /** Your own id of the call. Made again with the same questions, it joins the open card or gets the recorded answer. */
  readonly pendingId?: string;
  /** Who asks, where it is not the agent itself. */
  readonly subAgent?: SubAgent;
}

/** A shell command, or a call of any tool. */
export type StepToPropose =
  | {
      readonly command: string;
      /** Absolute path of the folder it is to run in. Default: the working directory. */
      readonly cwd?: string;
      /** What it is for: shown last, as your words. */
      readonly description?: string;
    }
  | {
      /** The agent's name for the tool: `Edit`, `mcp__db__query`. */
      readonly tool: string;
      readonly input: unknown;
      readonly cwd?: string;
    };

export interface ProposeOptions {
  /** Withdraws the step when it is aborted. */
  readonly signal?: AbortSignal;
}

export interface HandraiseGate {
  /**
   * Whether this very call may run. Reads run; what a person, a grant or the configuration allows runs; anything else is
   * put to people. Run nothing but the returned `input`. Never rejects: whatever fails, and whatever is malformed, is a
   * denial whose `message` is worded for the model.
   */
  check(call: ToolCall, facts: GateFacts, options?: { readonly signal?: AbortSignal }): Promise<GateReply>;
  /** A turn is over: grants for it end, and what is still proposed in it is withdrawn. */
  turnEnded(turnId: string): Promise<void>;
  /** The session is over, this one or the one named: so are all its grants. `close` does not end a session over Redis. */
  sessionEnded(sessionId?: string): Promise<void>;
}

/** What the host knows of a call. Facts only: nothing here allows anything. */
export interface GateFacts {
  /** Absolute path of where it runs. `null` when that is not known: then it is good for one call at most. */
  readonly cwd: string | null;
  /** The user's prompt that is worked on. Without one no grant for a turn is offered. */
  readonly turnId?: string;
  /** The agent's own session, which its grants are for. Default: this one. */
  readonly sessionId?: string;
  /** The sub-agent that wants it, where it is not the main one. */
  readonly agentId?: string;
  readonly agentType?: string;
}

export type GateReply =
  | {
      readonly behavior: 'allow';
      /** Exactly what was judged and, where people were asked, shown. */
      readonly input: unknown;
    }
  | { readonly behavior: 'deny'; readonly kind: DenialKind; readonly message: string };
