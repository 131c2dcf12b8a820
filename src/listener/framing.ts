import { isUtf8 } from 'node:buffer';

/** What a reader finds: a line's text, a line over the limit (told once, then skipped to its end), or bytes that are no text. */
export type Found = { readonly line: string } | { readonly fault: 'too_long' | 'not_utf8' };

const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into lines. Never holds more than `maxBytes` of an unfinished line; what is over the limit is
 * dropped while it arrives, and reading goes on after its newline. Blank lines are skipped. A line is decoded only once
 * it is complete, so a character split between two chunks is safe.
 */
export class LineReader {
  readonly #maxBytes: number;
  readonly #found: (found: Found) => void;
  #pieces: Buffer[] = [];
  #held = 0;
  #skipping = false;
  #finished = 0;

  constructor(maxBytes: number, found: (found: Found) => void) {
    this.#maxBytes = maxBytes;
    this.#found = found;
  }

  /** Number of the line that has begun and whose newline is still to come; undefined between lines. */
  get openLine(): number | undefined {
    return this.#skipping || this.#held > 0 ? this.#finished : undefined;
  }

  read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.#hold(rest.subarray(0, end));
      this.#finishLine();
      rest = rest.subarray(end + 1);
    }
    this.#hold(rest);
  }

  /** The stream has ended: what is left counts as a line. */
  end(): void {
    this.#finishLine();
  }

  #hold(bytes: Buffer): void {
    if (this.#skipping || bytes.length === 0) return;
    if (this.#held + bytes.length > this.#maxBytes) {
      this.#skipping = true;
      this.#drop();
      this.#found({ fault: 'too_long' });
      return;
    }
    this.#pieces.push(bytes);
    this.#held += bytes.length;
  }

  #finishLine(): void {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#skipping = false;
    this.#finished += 1;
    this.#drop();
    if (bytes === undefined || bytes.length === 0) return;
    const text = isUtf8(bytes) ? bytes.toString('utf8') : undefined;
    if (text === undefined) this.#found({ fault: 'not_utf8' });
    else if (text.trim() !== '') this.#found({ line: text });
  }

  #drop(): void {
    this.#pieces = [];
    this.#held = 0;
  }
}
