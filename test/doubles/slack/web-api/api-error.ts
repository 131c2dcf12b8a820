import type { Obj } from '../../json.ts';
import type { Issue } from '../block-kit/schema.ts';

/** Ends a method with `{ok:false,error}`. With `issues` the client broke a rule, and each is recorded as a violation. */
export class ApiError extends Error {
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly extra: Obj;

  constructor(code: string, issues: readonly Issue[] = [], extra: Obj = {}) {
    super(code);
    this.code = code;
    this.issues = issues;
    this.extra = extra;
  }

  /** Slack's answer, HTTP 200. */
  body(): Obj {
    const told = this.issues.map((issue) => `${issue.message} [json-pointer:${issue.pointer}]`);
    if (told.length === 0) return { ok: false, error: this.code, ...this.extra };
    const response_metadata = { messages: told.map((text) => `[ERROR] ${text}`) };
    // Only the messages' family of errors repeats them in `errors`.
    return this.code === 'invalid_blocks'
      ? { ok: false, error: this.code, errors: told, response_metadata, ...this.extra }
      : { ok: false, error: this.code, response_metadata, ...this.extra };
  }
}
