import * as z from 'zod';
import { loadConfig } from '../config/load.ts';
import { HandraiseError } from '../core/errors.ts';
import { endsWithin, OUTLIVES_MS } from '../owner/ending.ts';
import { type Owner, openOwner } from '../owner/owner.ts';
import { thisSession } from '../owner/session.ts';
import { askPeople } from './ask.ts';
import { canUseToolBy } from './can-use-tool.ts';
import { claudeOptionsBy } from './claude-options.ts';
import { hostGate } from './gate.ts';
import { OpenCalls } from './open-calls.ts';
import { proposeToPeople } from './propose.ts';
import type { Handraise, HandraiseOptions } from './types.ts';

const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' }).exactOptional();
const optionsSchema = z.strictObject({
  config: text,
  env: z.custom<NodeJS.ProcessEnv>((value) => typeof value === 'object' && value !== null).exactOptional(),
  workspace: text,
  as: text,
  session: text,
  agent: text,
  wait: text,
  script: text,
  events: text,
  verbose: z.boolean({ error: 'must be true or false' }).exactOptional(),
});

/**
 * Opens the way to people from this process, as `handraise run` does from its own: over Redis where the configuration
 * names one, else with the chat connection in this very process, else headless. Resolves once questions can be asked. Must
 * be closed. Rejects with a `HandraiseError` whose `code` and `hint` say what to change (`configuration`, `usage`,
 * `token_in_use`, `unavailable`, `surface`); nothing is left open then.
 */
export async function openHandraise(options: HandraiseOptions = {}): Promise<Handraise> {
  const { agent = 'library', env = process.env, config: file, wait, ...session } = checked(options);
  const config = await loadConfig({ flags: { config: file, wait }, env });
  const facts = await thisSession({ name: agent }, session, env);
  const owner = await openOwner({ ...session, env, config, session: facts });
  return handleOf(owner, facts, env);
}

function checked(options: HandraiseOptions): z.output<typeof optionsSchema> {
  const read = optionsSchema.safeParse(options);
  if (read.success) return read.data;
  throw new HandraiseError(
    `openHandraise cannot use its options: ${z.prettifyError(read.error).replaceAll('\n', ' ')}`,
    { code: 'usage', hint: 'docs/library.md lists them.' },
  );
}

function handleOf(
  owner: Owner,
  { sessionId, workspace }: { readonly sessionId: string; readonly workspace: string },
  env: NodeJS.ProcessEnv,
): Handraise {
  const { prompter, headless, log } = owner;
  const calls = new OpenCalls();
  const gate = hostGate({ inner: owner.gate, sessionId, calls, log });
  const agent = { gate, inner: owner.gate, prompter, sessionId, calls, log };
  const close = async () => {
    await calls.close();
    if (!(await endsWithin(OUTLIVES_MS, owner.stop(OUTLIVES_MS)))) {
      log.warn({ withinMs: OUTLIVES_MS }, 'not everything was settled in time; the next run settles the rest');
    }
  };
  let closed: Promise<void> | undefined;
  return {
    sessionId,
    workspace,
    headless,
    ask: (questions, options = {}) => askPeople(questions, options, { prompter, calls, log }),
    propose: (step, options = {}) => proposeToPeople(step, options, { prompter, calls, sessionId, workspace }),
    gate,
    canUseTool: canUseToolBy(agent),
    claudeOptions: (own) => claudeOptionsBy(agent, env, own),
    close() {
      closed ??= close();
      return closed;
    },
  };
}
