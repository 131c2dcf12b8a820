import type { Actor, Source } from '../actor.ts';
import type { Grant } from '../grants/grant.ts';
import type { Withheld } from '../outcomes.ts';
import type { ProposedEffect, Scope } from '../proposals/contract.ts';
import type { SubAgent } from '../sub-agent.ts';
import type { GrantResult } from './grant-store.ts';

/** A step that an agent is about to take, as its host tells it. */
export interface ToolCall {
  /** The agent's name for the tool: `Bash`, `Edit`, `mcp__db__query`. */
  readonly tool: string;
  /** What it is called with: what JSON can say. */
  readonly input: unknown;
  /** The agent's own id of the call. */
  readonly toolUseId?: string;
}

/** What a host knows besides, from the agent's hooks. Facts only. */
export interface CallFacts {
  /** Where it runs; null when that is not known: then it is good for one call at most. */
  readonly cwd: string | null;
  readonly sessionId: string;
  /** The user's prompt that is worked on, where that is known. */
  readonly turnId?: string;
  /** The sub-agent that wants it, where it is not the main one. */
  readonly agentId?: string;
  readonly agentType?: string;
  /** Where in its own work the host is, for the event; the sub-agent when it says nothing. */
  readonly state?: string;
}

/** Why a step is not run. Each has its own sentence for the model (`gate/denials.ts`). */
export type DenialKind =
  | 'names_handraise'
  | 'secret'
  | 'too_large'
  | 'not_understood'
  | 'too_many'
  | 'refused_before'
  | 'unanswered_before'
  | 'denied'
  | 'timed_out'
  | 'cancelled'
  | 'superseded'
  | 'owner_lost'
  | 'no_channel'
  | 'undeliverable'
  | 'indeterminate'
  | 'drifted'
  | 'grant_over'
  | 'not_recorded';

/**
 * What becomes of a step, and the duty that comes with it: whoever hands it to the agent says whether it arrived. Exactly
 * one of `delivered` and `lost` is called, once.
 */
export type GateDecision = Delivery &
  (
    | {
        readonly behavior: 'allow';
        /** Exactly what was judged and digested: nothing else may be run. */
        readonly input: unknown;
      }
    | { readonly behavior: 'deny'; readonly kind: DenialKind /** For the model. */; readonly message: string }
  );

export interface Delivery {
  delivered(): Promise<void>;
  /** `why` goes to the log. Nothing runs by this decision any more. */
  lost(why: string, withheld?: Withheld): Promise<void>;
}

/** Judges every step of one owner's agents. It always comes back, and what cannot be judged is denied. */
export interface Gate {
  /** `signal`: aborted when the agent does not want it any more. Never rejects. */
  check(call: ToolCall, facts: CallFacts, options: { readonly signal: AbortSignal }): Promise<GateDecision>;
  /** The user's prompt was worked on to its end: its grants are over, and what is still proposed in it is withdrawn. */
  turnEnded(turnId: string): Promise<void>;
  sessionEnded(sessionId: string): Promise<void>;
  /** What is allowed right now. */
  grants(): Promise<readonly Grant[]>;
  revoke(requestId: string, by: Actor): Promise<GrantResult>;
  /** Withdraws what is open and ends what no later process could use. */
  stop(): Promise<void>;
}

/**
 * One line of the events file for each judged step that is no plain read, allowed or not. `by`: whose decision it was; a
 * refusal that is remembered stays the operator's, a silence stays a timeout.
 */
export interface GateEvent {
  readonly event: 'machine.write_mode_granted';
  readonly at: number;
  readonly id: string;
  readonly headers: readonly ['write mode'];
  /** Where in its work the agent was. */
  readonly state: string;
  /** Tool and programs, or the file: never the whole command. */
  readonly action: string;
  readonly effect: ProposedEffect;
  readonly granted: boolean;
  readonly outcome: 'granted' | DenialKind;
  readonly by: 'operator' | 'active_scope' | 'policy' | 'timeout' | 'headless' | 'agent' | 'system';
  readonly scope?: Scope;
  /** Who allowed or refused it, without their display name. */
  readonly who?: Pick<Actor, 'platform' | 'workspaceId' | 'userId'>;
  readonly surface?: Source;
  /** The request that was put to people, or whose grant it ran by. */
  readonly request_id?: string;
  /** Of the action; absent where none was made. */
  readonly digest?: string;
  readonly sub_agent?: SubAgent;
  /** From the call to the agent having the decision. */
  readonly duration_ms: number;
}
