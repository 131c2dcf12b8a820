import { connect, type Socket } from 'node:net';
import { type ErrorCode, HandraiseError } from '../core/errors.ts';
import {
  type Choice,
  type ClientBoundFrame,
  CONTROL_VERSION,
  clientBoundFrame,
  type ListedGrant,
  type ListedRequest,
  MAX_REPLY_BYTES,
  MAX_REQUEST_BYTES,
  type Resolution,
  type Revocation,
} from '../core/wire/control.ts';
import { LineReader } from '../listener/framing.ts';

/** One question or answer at a time, to one gateway. */
export interface ControlClient {
  pending(): Promise<{ readonly requests: readonly ListedRequest[]; readonly total: number }>;
  knows(requestId: string): Promise<boolean>;
  resolve(call: ResolveCall): Promise<Resolution>;
  /** What is allowed right now. */
  grants(): Promise<readonly ListedGrant[]>;
  revoke(requestId: string): Promise<Revocation>;
  close(): void;
}

export interface ResolveCall {
  readonly requestId: string;
  readonly pendingId?: string;
  readonly sessionId?: string;
  readonly choice: Choice;
}

/** A resolution waits for the agent's confirmation (5 s) and perhaps for a store that is away. */
const ANSWERS_WITHIN_MS = 20_000;

const ERROR_CODES: Readonly<Record<FrameOf<'error'>['code'], ErrorCode>> = {
  refused: 'refused',
  unavailable: 'unavailable',
  invalid_frame: 'usage',
  line_too_long: 'usage',
};

type FrameOf<K extends ClientBoundFrame['kind']> = Extract<ClientBoundFrame, { kind: K }>;

/**
 * Connects and says which process this is, as the server asks. `inside`: why we take ourselves for an agent's. Throws
 * `unavailable` when nobody answers there, `refused` when the server does not believe us.
 */
export async function dialControl(path: string, inside: string | undefined): Promise<ControlClient> {
  const socket = await opened(path);
  const next = framesOf(socket, path);
  let called = 0;
  const call = async <K extends ClientBoundFrame['kind']>(kind: K, frame: object): Promise<FrameOf<K>> => {
    called += 1;
    const line = JSON.stringify({ v: CONTROL_VERSION, id: `c${called}`, ...frame });
    if (Buffer.byteLength(line) > MAX_REQUEST_BYTES) {
      throw new HandraiseError(`The answer is longer than ${MAX_REQUEST_BYTES} bytes.`, { code: 'usage' });
    }
    socket.write(`${line}\n`);
    return next(kind);
  };
  try {
    const { name } = await next('hello');
    const me = { kind: 'identify', pid: process.pid, ...(inside === undefined ? {} : { inside }) };
    await asNamed(name, () => call('identified', me));
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return {
    pending: () => call('requests', { kind: 'pending' }),
    knows: async (requestId) => (await call('found', { kind: 'find', requestId })).known,
    resolve: async (frame) => (await call('resolution', { kind: 'resolve', ...frame })).resolution,
    grants: async () => (await call('grants', { kind: 'grants' })).grants,
    revoke: async (requestId) => (await call('revocation', { kind: 'revoke', requestId })).revocation,
    close: () => socket.destroy(),
  };
}

let naming: Promise<unknown> = Promise.resolve();

/** A process has one name at a time. */
function asNamed<T>(name: string | null, work: () => Promise<T>): Promise<T> {
  const named = naming.then(async () => {
    if (name === null) return work();
    const own = process.title;
    process.title = name;
    try {
      return await work();
    } finally {
      process.title = own;
    }
  });
  naming = named.catch(() => undefined); // Whoever asked is told; the next one may go on.
  return named;
}

function opened(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once('error', (cause) =>
      reject(
        new HandraiseError(`No gateway answers on ${path}: ${cause.message}`, {
          code: 'unavailable',
          hint: 'Look whether `handraise gateway` or `handraise run` still runs, and as which user.',
          cause,
        }),
      ),
    );
  });
}

/** The next frame from there, which must be of the kind; an error frame is thrown as what it says. */
function framesOf(socket: Socket, path: string) {
  const arrived: ClientBoundFrame[] = [];
  let failure: HandraiseError | undefined;
  let wake: () => void = () => undefined;
  const fail = (why: string) => {
    failure ??= new HandraiseError(`${path} cannot be used: ${why}`, { code: 'unavailable' });
    wake();
  };
  const reader = new LineReader(MAX_REPLY_BYTES, (found) => {
    const frame = 'line' in found ? readFrame(found.line) : undefined;
    if (frame === undefined) return fail('it speaks another language, perhaps of another version of handraise.');
    arrived.push(frame);
    wake();
  });
  socket.on('data', (chunk: Buffer) => reader.read(chunk));
  socket.on('error', () => undefined); // `close` follows and tells.
  socket.on('close', () => fail('the connection closed before it answered; look with `handraise pending`.'));

  return async <K extends ClientBoundFrame['kind']>(kind: K): Promise<FrameOf<K>> => {
    if (arrived.length === 0 && failure === undefined) {
      const timer = setTimeout(() => fail(`no answer within ${ANSWERS_WITHIN_MS / 1_000} s.`), ANSWERS_WITHIN_MS);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      clearTimeout(timer);
    }
    const frame = arrived.shift();
    if (frame === undefined) throw failure ?? new Error('woken for nothing');
    if (frame.kind === 'error') {
      throw new HandraiseError(frame.text, { code: ERROR_CODES[frame.code] });
    }
    if (frame.kind !== kind) throw new HandraiseError(`${path} gave no sensible answer.`, { code: 'unavailable' });
    return frame as FrameOf<K>;
  };
}

function readFrame(line: string): ClientBoundFrame | undefined {
  try {
    return clientBoundFrame.parse(JSON.parse(line));
  } catch {
    // The caller says that it is not understood.
    return undefined;
  }
}
