import { sessionFacts } from '../agents/session-facts.ts';
import { requesterOf } from '../config/requester.ts';
import { HandraiseError } from '../core/errors.ts';
import { newRandomId } from '../core/ids.ts';
import type { SessionFacts } from '../core/request.ts';

/** Options that `run`, `ask` and the library have in common. */
export interface SessionOptions {
  readonly config?: string;
  readonly workspace?: string;
  /** For whom it runs: `slack:U01`. */
  readonly as?: string;
  readonly session?: string;
  readonly events?: string;
  readonly script?: string;
  readonly verbose?: boolean;
}

/** The facts of this very process. Throws `usage` for a session name that cannot name a directory. */
export async function thisSession(
  { name, program }: { readonly name: string; readonly program?: string },
  { session, workspace, as }: SessionOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<SessionFacts> {
  if (session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(session)) {
    throw new HandraiseError(`--session ${session} cannot name a session`, {
      code: 'usage',
      hint: 'Use up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit.',
    });
  }
  const requester = requesterOf(as, env);
  return sessionFacts({
    sessionId: session ?? newRandomId(),
    agent: name,
    program,
    cwd: process.cwd(),
    workspace,
    requester,
  });
}
