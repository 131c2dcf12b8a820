import type { Clock } from '../core/clock.ts';
import { sentenceOf } from '../core/errors.ts';
import type { ToolReply } from '../core/outcomes.ts';
import { MAX_LINE_BYTES, WIRE_VERSION } from '../core/wire/limits.ts';
import { OwnerConnection } from './owner-connection.ts';

/** One tool call, on its way to the owner: the members of its frame. Nothing in it is judged here. */
export type OwnerCall =
  | { readonly kind: 'ask'; readonly questions: unknown; readonly metadata?: unknown; readonly toolUseId?: string }
  | { readonly kind: 'propose'; readonly tool: string; readonly input: unknown; readonly toolUseId?: string };

/** Why there is no reply: nobody behind the socket, or a call that cannot be sent, and what to do about it. */
export type NoReply = { readonly unreachable: string } | { readonly unsendable: string; readonly cure: string };

/** What came of a call, and the duty to say whether the agent got it: exactly one of the two is called, once. */
export interface OwnerAnswer {
  readonly reply: ToolReply | NoReply;
  delivered(): void;
  withdrawn(): void;
}

/** The way to the owner. */
export interface OwnerClient {
  /** Puts the call to the owner and waits as long as the owner does. Never rejects. Aborting `signal` withdraws it. */
  put(call: OwnerCall, signal: AbortSignal): Promise<OwnerAnswer>;
  /** Ends every open call and the connection. */
  close(): void;
}

/**
 * A client of the owner's socket. Dials at the first call and again when the connection died; every call shares the one
 * connection. `socketPath` undefined means that there is no owner.
 */
export function createOwnerClient(deps: {
  readonly socketPath: string | undefined;
  readonly clock: Clock;
}): OwnerClient {
  let connection: Promise<OwnerConnection> | undefined;
  let called = 0;

  const connect = (socketPath: string): Promise<OwnerConnection> => {
    if (connection !== undefined) return connection;
    const dialled = OwnerConnection.dial(socketPath, deps.clock);
    connection = dialled;
    const forget = () => {
      if (connection === dialled) connection = undefined;
    };
    dialled.then((open) => open.closed.then(forget), forget);
    return dialled;
  };

  return {
    async put(call, signal) {
      if (deps.socketPath === undefined) return withoutDuty({ unreachable: 'this agent was not started by handraise' });
      called += 1;
      const id = `c${called}`;
      const line = asLine({ v: WIRE_VERSION, id, ...call });
      if (line === undefined) return withoutDuty(TOO_DEEP);
      const size = Buffer.byteLength(line);
      if (size > MAX_LINE_BYTES) return withoutDuty(tooLong(size));
      let open: OwnerConnection;
      try {
        open = await connect(deps.socketPath);
      } catch (error) {
        return withoutDuty({ unreachable: sentenceOf(error) });
      }
      if (signal.aborted) return withoutDuty({ unreachable: 'the call was withdrawn' });
      const reply = await open.request(id, line, signal);
      if ('cause' in reply) return withoutDuty({ unreachable: reply.cause });
      return {
        reply,
        delivered: () => open.tell('delivered', id),
        withdrawn: () => open.tell('cancel', id),
      };
    },
    close() {
      // A dial that fails from here on has no call left to tell.
      connection?.then(
        (open) => open.close(),
        () => undefined,
      );
    },
  };
}

function withoutDuty(reply: NoReply): OwnerAnswer {
  return { reply, delivered: () => undefined, withdrawn: () => undefined };
}

/** Undefined for what is nested thousands of levels deep: reading JSON takes any depth, writing it does not. */
function asLine(frame: object): string | undefined {
  try {
    return JSON.stringify(frame);
  } catch {
    // A RangeError: the caller tells the agent what to change.
    return undefined;
  }
}

const TOO_DEEP: NoReply = { unsendable: 'the call is nested too deeply', cure: 'Correct the call' };

function tooLong(size: number): NoReply {
  return { unsendable: `the call has ${size} bytes, and ${MAX_LINE_BYTES} is the most`, cure: 'Shorten it' };
}
