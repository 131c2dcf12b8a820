import { connect, type Socket } from 'node:net';
import type { Clock } from '../core/clock.ts';
import type { ToolReply } from '../core/outcomes.ts';
import { MAX_LINE_BYTES, WIRE_VERSION } from '../core/wire/limits.ts';
import { type Found, LineReader } from '../listener/framing.ts';

/** How long the owner's socket may take to accept, in ms. */
const DIAL_MS = 5_000;

/**
 * An answer repeats the questions' texts as keys, once more for notes, and all of that again within `text`, where JSON
 * in JSON doubles what is escaped: six times the line that asked, and a little for what was typed.
 */
const MAX_ANSWER_BYTES = 8 * MAX_LINE_BYTES;

/** The owner's reply, or why there is none. */
export type Ended = ToolReply | { readonly cause: string };

/** One connection to the owner, shared by calls that are told apart by id. Ends with its socket. */
export class OwnerConnection {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, (ended: Ended) => void>();
  /** Resolves when the socket is closed; every call was told before. */
  readonly closed: Promise<void>;

  /** Rejects with a sentence for the agent when nobody accepts in time. */
  static dial(path: string, clock: Clock): Promise<OwnerConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      const stop = clock.after(DIAL_MS, () => {
        socket.destroy();
        reject(new Error(`its socket did not answer within ${DIAL_MS / 1_000} s`));
      });
      socket.once('error', (error: NodeJS.ErrnoException) => {
        stop();
        reject(new Error(whyNotDialled(error)));
      });
      socket.once('connect', () => {
        stop();
        socket.removeAllListeners('error');
        resolve(new OwnerConnection(socket));
      });
    });
  }

  constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new LineReader(MAX_ANSWER_BYTES, (found) => this.#onFound(found));
    let failure = 'the run closed the connection before an answer came';
    socket.on('data', (chunk: Buffer) => reader.read(chunk));
    // The owner may leave out the last newline; Node then closes our side by itself.
    socket.on('end', () => reader.end());
    socket.on('error', (error) => {
      failure = `the connection to the run failed: ${error.message}`;
    });
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#endAll({ cause: failure });
        resolve();
      });
    });
  }

  /** Sends a call and waits for its end. Aborting withdraws it; its reply is then of no use to anyone. */
  request(id: string, line: string, signal: AbortSignal): Promise<Ended> {
    return new Promise((resolve) => {
      const onAbort = () => {
        this.tell('cancel', id);
        end({ cause: 'the call was withdrawn' });
      };
      const end = (ended: Ended) => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', onAbort);
        resolve(ended);
      };
      this.#waiting.set(id, end);
      signal.addEventListener('abort', onAbort, { once: true });
      if (this.#socket.writable) this.#socket.write(`${line}\n`);
      else end({ cause: 'the run closed the connection' });
    });
  }

  /** Says what became of a call. An owner that is gone does not need to know. */
  tell(kind: 'cancel' | 'delivered', id: string): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify({ v: WIRE_VERSION, kind, id })}\n`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #onFound(found: Found): void {
    const frame = 'line' in found ? parse(found.line) : undefined;
    if (frame === undefined) {
      this.#endAll({ cause: 'it answered in a form this bridge does not know' });
      return;
    }
    const reply: ToolReply = { text: frame.text, isError: frame.kind === 'error' || frame.isError };
    if (frame.kind === 'accepted') return;
    if (frame.id === undefined) this.#endAll(reply);
    else this.#waiting.get(frame.id)?.(reply);
  }

  #endAll(ended: Ended): void {
    for (const end of [...this.#waiting.values()]) end(ended);
  }
}

interface ReadFrame {
  readonly kind: 'accepted' | 'outcome' | 'noted' | 'error';
  readonly id?: string;
  readonly text: string;
  readonly isError: boolean;
}

/** Undefined for what is no frame to us; a waiting call must then end, since its answer may have been in it. */
function parse(line: string): ReadFrame | undefined {
  let frame: Partial<Record<keyof ReadFrame | 'v', unknown>>;
  try {
    frame = JSON.parse(line);
  } catch {
    // Told to every waiting call by the caller.
    return undefined;
  }
  if (typeof frame !== 'object' || frame?.v !== WIRE_VERSION) return undefined;
  const { kind, id, text = '', isError = false } = frame;
  if (kind !== 'accepted' && kind !== 'outcome' && kind !== 'noted' && kind !== 'error') return undefined;
  if (typeof text !== 'string' || typeof isError !== 'boolean') return undefined;
  return { kind, text, isError, ...(typeof id === 'string' ? { id } : {}) };
}

function whyNotDialled(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return 'its socket is gone, so the run that started this agent has ended';
    case 'ECONNREFUSED':
      return 'nobody listens on its socket, so the run that started this agent has ended';
    default:
      return `its socket cannot be opened: ${error.message}`;
  }
}
