import type { Socket } from 'node:net';
import { sentenceOf } from '../core/errors.ts';
import { type ErrorFrame, ownerBoundFrame } from '../core/wire/frames.ts';
import { MAX_LINE_BYTES, WIRE_VERSION } from '../core/wire/limits.ts';
import { type AskDeps, type Channel, serveAsk } from './ask.ts';
import { type Found, LineReader } from './framing.ts';
import { serveLegacyAsk } from './legacy.ts';
import { serveLifecycle, serveObserve, servePropose } from './propose.ts';

/** How long a begun line may take to be finished, in ms: a peer that stops in the middle of one is broken. */
export const LINE_MS = 10_000;

/** Asks of the older wire that may wait in line on one connection. */
const MOST_LEGACY_WAITING = 64;

/**
 * One peer of the listener. Keeps reading while its asks wait, so that a closed or half-closed socket ends them at
 * once. Speaks wire v1 and the older wire, frame by frame. Owned by the listener; owns its socket.
 */
export class Connection implements Channel {
  readonly #socket: Socket;
  readonly #deps: AskDeps;
  readonly #reader: LineReader;
  readonly #handlers = new Set<Promise<void>>();
  /** What the last readable frame spoke; decides how a line that cannot be read is answered. */
  #dialect: 'unknown' | 'v1' | 'legacy' = 'unknown';
  #legacyTail: Promise<void> = Promise.resolve();
  #legacyWaiting = 0;
  #lineTimer: { readonly line: number; stop(): void } | undefined;
  #peerEnded = false;
  /** Resolves when the socket is closed and every ask of it was handled. */
  readonly done: Promise<void>;

  constructor(socket: Socket, deps: AskDeps) {
    this.#socket = socket;
    this.#deps = deps;
    this.#reader = new LineReader(MAX_LINE_BYTES, (found) => this.#onFound(found));
    socket.on('data', (chunk: Buffer) => {
      this.#reader.read(chunk);
      this.#watchLine();
      // A peer that reads nothing could otherwise have us hold an answer to every line it sends.
      if (socket.writableNeedDrain) socket.pause().once('drain', () => socket.resume());
    });
    socket.on('end', () => this.#onEnd());
    // A reset or a failed write is followed by `close`, which does everything there is to do.
    socket.on('error', (error) => deps.log.debug({ error: error.message }, 'socket error'));
    this.done = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      .then(() => this.#onClose())
      .then(() => this.#handled());
  }

  write(frame: object): Promise<boolean> {
    if (!this.#socket.writable) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#socket.write(`${JSON.stringify(frame)}\n`, (error) => resolve(error == null));
    });
  }

  /**
   * Ends every ask that waits, and our side of the socket. The peer then ends its own, and what it wrote before, such
   * as the confirmation of an answer, is still read: an agent may be gone a moment after it got one.
   */
  end(why: string): void {
    this.#deps.registry.abortWaiting(this, why);
    this.#socket.end();
  }

  /** Ends every ask of this peer and the socket with them. */
  close(why: string): void {
    this.#deps.registry.abortConnection(this, why);
    this.#socket.destroy();
  }

  #onFound(found: Found): void {
    if ('fault' in found) {
      if (found.fault === 'not_utf8') this.#complain('invalid_frame', 'The line is not UTF-8 text.');
      else this.#complain('line_too_long', `The line is longer than ${MAX_LINE_BYTES} bytes and was not read.`);
      return;
    }
    const frame = parseObject(found.line);
    if (frame === undefined) {
      this.#complain('invalid_frame', 'The line is not a JSON object.');
    } else if ('v' in frame) {
      this.#dialect = 'v1';
      this.#onFrame(frame);
    } else {
      this.#dialect = 'legacy';
      this.#onLegacyFrame(frame);
    }
  }

  #onFrame(input: Readonly<Record<string, unknown>>): void {
    const id = typeof input['id'] === 'string' ? input['id'] : undefined;
    const parsed = ownerBoundFrame.safeParse(input);
    if (!parsed.success) {
      const { code, text } = whyUnreadable(input, parsed.error.issues[0]);
      this.#complain(code, text, id);
      return;
    }
    const frame = parsed.data;
    const call = this.#deps.registry.find(this, frame.id);
    switch (frame.kind) {
      case 'ask':
        // One that ends with the stream has nobody to answer to (v1 peers read and write until they are done), nor has
        // one that comes while the run is ending.
        if (!this.#peerEnded && this.#socket.writable) this.#track(serveAsk(frame, this, this.#deps));
        break;
      case 'propose':
        if (!this.#peerEnded && this.#socket.writable) this.#track(servePropose(frame, this, this.#deps));
        break;
      case 'observe':
        serveObserve(frame, this, this.#deps);
        break;
      case 'lifecycle':
        this.#track(serveLifecycle(frame, this, this.#deps));
        break;
      case 'cancel':
        call?.abort('the agent withdrew the call');
        break;
      case 'delivered':
        call?.confirm();
        break;
    }
  }

  /** One after another: without ids, the order is all that says which answer belongs to which question. */
  #onLegacyFrame(frame: object): void {
    if (this.#legacyWaiting >= MOST_LEGACY_WAITING) {
      this.close('too many questions in line on one connection');
      return;
    }
    // Only the stream's end finishes a line without a newline: see `#onEnd`.
    const finishedByEnd = this.#peerEnded;
    this.#legacyWaiting += 1;
    this.#legacyTail = this.#legacyTail
      .then(async () => {
        const isGone = this.#socket.destroyed || (this.#peerEnded && !finishedByEnd);
        if (!isGone) await serveLegacyAsk(frame, this, this.#deps);
      })
      .finally(() => {
        this.#legacyWaiting -= 1;
      });
    this.#track(this.#legacyTail);
  }

  /**
   * The peer closed its side. Nothing tells a half-closed peer from a dead one, so its asks end. One exception: on the
   * older wire, a last line without newline is finished by this very end, so its asker waits on the other half.
   */
  #onEnd(): void {
    this.#lineTimer?.stop();
    this.#peerEnded = true;
    this.#deps.registry.loseConnection(this, 'the asker closed its connection');
    this.#reader.end();
    void this.#handled().then(() => this.#socket.end());
  }

  #onClose(): void {
    this.#peerEnded = true;
    this.#lineTimer?.stop();
    this.#deps.registry.loseConnection(this, 'the connection to the asker closed');
  }

  /** Half a line and then silence: say so and hang up, rather than hold it for ever. */
  #watchLine(): void {
    const line = this.#reader.openLine;
    if (line === this.#lineTimer?.line) return;
    this.#lineTimer?.stop();
    this.#lineTimer = undefined;
    if (line === undefined) return;
    const stop = this.#deps.clock.after(LINE_MS, () => {
      const sentence = `The line was not finished within ${LINE_MS / 1_000} s.`;
      this.#complain('invalid_frame', sentence);
      this.#deps.registry.loseConnection(this, 'the asker stopped in the middle of a line');
      this.#socket.destroySoon();
    });
    this.#lineTimer = { line, stop };
  }

  /** Before the first readable frame nobody knows the dialect, so the answer then speaks both. */
  #complain(code: ErrorFrame['code'], text: string, id?: string): void {
    const frame: ErrorFrame = { v: WIRE_VERSION, kind: 'error', ...(id === undefined ? {} : { id }), code, text };
    const answer = { v1: frame, legacy: { error: text }, unknown: { ...frame, error: text } }[this.#dialect];
    void this.write(answer);
  }

  #track(handler: Promise<void>): void {
    const guarded = handler
      .catch((error: unknown) => {
        // A fault of ours: the peer must not wait for an answer that will not come.
        this.#deps.log.error({ error: sentenceOf(error) }, 'serving an ask failed');
        this.close('an internal error');
      })
      .finally(() => this.#handlers.delete(guarded));
    this.#handlers.add(guarded);
  }

  async #handled(): Promise<void> {
    while (this.#handlers.size > 0) await Promise.all(this.#handlers);
  }
}

const KINDS = new Set<unknown>(['ask', 'propose', 'observe', 'lifecycle', 'cancel', 'delivered']);

function whyUnreadable(
  input: Readonly<Record<string, unknown>>,
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
): { readonly code: ErrorFrame['code']; readonly text: string } {
  if (input['v'] !== WIRE_VERSION) {
    return { code: 'invalid_frame', text: `Only version ${WIRE_VERSION} of this wire is spoken here.` };
  }
  if (!KINDS.has(input['kind']))
    return { code: 'unknown_kind', text: 'The kind must be ask, propose, observe, lifecycle, cancel or delivered.' };
  const where = issue === undefined ? '' : ` (${issue.path.map(String).join('.')}: ${issue.message})`;
  return { code: 'invalid_frame', text: `The frame cannot be read${where}.` };
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // The caller answers the peer; the parser's own message would only repeat the peer's bytes.
    return undefined;
  }
}
