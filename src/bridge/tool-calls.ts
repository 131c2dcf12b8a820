import type { RequestId, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../core/clock.ts';
import type { OwnerAnswer, OwnerCall, OwnerClient } from './client.ts';

/** Milliseconds between progress notifications: clients give up after 60 s of silence (field report D1). */
const PROGRESS_MS = 15_000;

/** What a tool needs of one MCP request. */
export interface ToolRequest {
  readonly requestId: RequestId;
  /** Aborted by `notifications/cancelled` for this request and by the end of the transport. */
  readonly signal: AbortSignal;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  sendNotification(notification: ServerNotification): Promise<void>;
}

/** Hands tool calls to the owner, keeps the client patient, and says when an answer has arrived. */
export class ToolCalls {
  readonly #owner: OwnerClient;
  readonly #clock: Clock;
  readonly #unsent = new Map<RequestId, OwnerAnswer>();

  constructor({ owner, clock }: { readonly owner: OwnerClient; readonly clock: Clock }) {
    this.#owner = owner;
    this.#clock = clock;
  }

  /** Waits as long as the owner does. */
  async put(call: OwnerCall, request: ToolRequest): Promise<OwnerAnswer['reply']> {
    const stopProgress = sendProgress(request, this.#clock);
    const answer = await this.#owner.put(call, request.signal).finally(stopProgress);
    // From here until it is flushed, the response can still be withdrawn: the SDK then drops it.
    this.#unsent.set(request.requestId, answer);
    const withdraw = () => {
      if (this.#unsent.delete(request.requestId)) answer.withdrawn();
    };
    request.signal.addEventListener('abort', withdraw, { once: true });
    if (request.signal.aborted) withdraw();
    return answer.reply;
  }

  /** What was put for this request does not reach the agent as it is. */
  withdraw(requestId: RequestId): void {
    const answer = this.#unsent.get(requestId);
    this.#unsent.delete(requestId);
    answer?.withdrawn();
  }

  /** The response to this MCP request was flushed to the agent. */
  responseSent(requestId: RequestId): void {
    const answer = this.#unsent.get(requestId);
    this.#unsent.delete(requestId);
    answer?.delivered();
  }
}

/** Claude Code's own id of the call. */
export function toolUseIdOf(value: unknown): { toolUseId?: string } {
  return typeof value === 'string' && value !== '' && value.length <= 256 ? { toolUseId: value } : {};
}

/** Only for a client that gave a token: without one it has nothing to match a notification with. */
function sendProgress(request: ToolRequest, clock: Clock): () => void {
  const progressToken = request._meta?.['progressToken'];
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => undefined;
  // Seconds of waiting, counted and not measured: MCP wants it to grow, whatever the machine's clock does.
  let progress = 0;
  let stop: () => void;
  const arm = () => {
    stop = clock.after(PROGRESS_MS, () => {
      arm();
      progress += PROGRESS_MS / 1_000;
      const params = { progressToken, progress, message: 'Waiting for the operator' };
      // It fails only with the transport, whose end aborts the call itself.
      request.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
    });
  };
  arm();
  return () => stop();
}
