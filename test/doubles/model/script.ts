import type { ModelRequest } from './request.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

/** What the model does next: speak, call tools (all in one message), or fail as the API would. */
export type Reply =
  | { kind: 'message'; text: string; calls: ToolCall[] }
  | { kind: 'error'; status: number; message: string };

export type ScriptFunction = (request: ModelRequest) => Reply | Promise<Reply>;

/** A function step may wait for a promise of the test's before it replies. */
export type Step = Reply | ScriptFunction;

/**
 * A function decides every turn of every conversation. A list is the turns of each main conversation in order; with
 * `subagent`, each sub-agent goes through its own list from the start. A conversation that outlives its list is a
 * failure of the script.
 */
export type Script = ScriptFunction | Step[] | { main: Step[]; subagent: Step[] };

export const say = (text: string): Reply => ({ kind: 'message', text, calls: [] });

/** Several calls stand in one assistant message, as parallel tool use. */
export const call = (...calls: ToolCall[]): Reply => ({ kind: 'message', text: '', calls });

/** The client is told not to retry, so the error is the end of the turn. */
export const fail = (status: number, message: string): Reply => ({ kind: 'error', status, message });

export async function nextReply(script: Script, request: ModelRequest): Promise<Reply> {
  if (typeof script === 'function') return script(request);
  const steps = Array.isArray(script) ? { main: script, subagent: [] } : script;
  const step = steps[request.agent][request.turn - 1];
  if (step === undefined) {
    throw new Error(`the script has no turn ${request.turn} for the ${request.agent} conversation`);
  }
  return typeof step === 'function' ? step(request) : step;
}
