import type { CallToolResult, RequestId, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../core/clock.ts';
import type { OwnerAnswer, OwnerClient } from './client.ts';

/** Milliseconds between progress notifications: clients give up after 60 s of silence (field report D1). */
const PROGRESS_MS = 15_000;

/** What the tool needs of one MCP request. */
export interface AskRequest {
  readonly requestId: RequestId;
  /** Aborted by `notifications/cancelled` for this request and by the end of the transport. */
  readonly signal: AbortSignal;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  sendNotification(notification: ServerNotification): Promise<void>;
}

export interface AskTool {
  call(args: Readonly<Record<string, unknown>>, request: AskRequest): Promise<CallToolResult>;
  /** The response to this MCP request was flushed to the agent. */
  responseSent(requestId: RequestId): void;
}

/** The `ask` tool: hands a call to the owner, keeps the client patient, and says when the answer has arrived. */
export function createAskTool({ owner, clock }: { readonly owner: OwnerClient; readonly clock: Clock }): AskTool {
  const unsent = new Map<RequestId, OwnerAnswer>();
  return {
    async call(args, request) {
      const complaint = complainAboutKeys(args);
      if (complaint !== undefined) return asResult(complaint, true);
      const toolUseId = request._meta?.['claudecode/toolUseId'];
      const stopProgress = sendProgress(request, clock);
      const call = {
        questions: args['questions'],
        ...(args['metadata'] === undefined ? {} : { metadata: args['metadata'] }),
        ...(isToolUseId(toolUseId) ? { toolUseId } : {}),
      };
      const answer = await owner.ask(call, request.signal).finally(stopProgress);
      // From here until it is flushed, the response can still be withdrawn: the SDK then drops it.
      unsent.set(request.requestId, answer);
      const withdraw = () => {
        if (unsent.delete(request.requestId)) answer.withdrawn();
      };
      request.signal.addEventListener('abort', withdraw, { once: true });
      if (request.signal.aborted) withdraw();
      return asResult(answer.reply.text, answer.reply.isError);
    },
    responseSent(requestId) {
      const answer = unsent.get(requestId);
      unsent.delete(requestId);
      answer?.delivered();
    },
  };
}

/** The contract takes these two keys; a third one is a call that meant something else. */
function complainAboutKeys(args: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(args).find((key) => key !== 'questions' && key !== 'metadata');
  if (unknown === undefined) return undefined;
  return `The questions were not asked: "${unknown.slice(0, 80)}" is not known; send {"questions":[…]} and, if you like, metadata. Correct the call and ask again.`;
}

/** Only for a client that gave a token: without one it has nothing to match a notification with. */
function sendProgress(request: AskRequest, clock: Clock): () => void {
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

function isToolUseId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 256;
}

function asResult(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
