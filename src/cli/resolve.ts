import { text } from 'node:stream/consumers';
import { HandraiseError, sentenceOf } from '../core/errors.ts';
import { RESOLVE_CODES, type ResolveFacts } from '../core/resolve-codes.ts';
import type { Choice, Resolution } from '../core/wire/control.ts';
import { commandRefused, resolveSentence } from '../prompt/command-replies.ts';
import type { ResolveCall } from './control-client.ts';
import { type ControlFlags, insideAgent, withGateways } from './control-sockets.ts';
import { EXIT } from './exit-codes.ts';
import { inertJson, inertLine } from './inert.ts';

export interface ResolveOptions extends ControlFlags {
  readonly option?: readonly string[];
  readonly other?: string;
  readonly notes?: string;
  readonly answers?: string;
  readonly skip?: boolean;
  readonly decline?: boolean;
  readonly pendingId?: string;
  readonly session?: string;
}

const EXIT_OF: Readonly<Record<ResolveFacts['means'], number>> = {
  resolved: EXIT.ok,
  unresolved: EXIT.notAnswered,
  refused: EXIT.refused,
  wrong_call: EXIT.usage,
  unavailable: EXIT.unavailable,
};

/**
 * `handraise resolve`: answers one request as the user of this machine, by the gateway that knows it. Says what came of
 * it in one line (or one JSON object) and by its exit code. Throws `usage` for flags that make no choice.
 */
export async function resolve(requestId: string, options: ResolveOptions): Promise<number> {
  const call: ResolveCall = {
    requestId,
    ...(options.pendingId === undefined ? {} : { pendingId: options.pendingId }),
    ...(options.session === undefined ? {} : { sessionId: options.session }),
    choice: await choiceOf(options),
  };
  const resolution = await send(call, options);
  const { permissionCode, means } = RESOLVE_CODES[resolution.code];
  if (options.json === true) {
    process.stdout.write(`${inertJson({ ...resolution, permissionCode, requestId })}\n`);
  } else {
    const line = inertLine(`${resolution.code}: ${resolution.sentence}`);
    if (means === 'resolved') process.stdout.write(`${line}\n`);
    else process.stderr.write(`handraise: ${line}\n`);
  }
  return EXIT_OF[means];
}

/** By the gateway that knows the request; by any, so that it is audited, when none does or it may not be answered. */
async function send(call: ResolveCall, flags: ControlFlags): Promise<Resolution> {
  const inside = insideAgent();
  const refused: Resolution = { code: 'refused', reason: 'agent_tree', sentence: commandRefused('agent_tree') };
  let resolution: Resolution | undefined;
  try {
    await withGateways(flags, inside, async (client) => {
      if (inside === undefined && !(await client.knows(call.requestId))) return 'more';
      resolution = await client.resolve(call);
      // Another gateway on the same Redis may have a binding for it.
      return resolution.code === 'session_not_found' ? 'more' : 'enough';
    });
    if (inside !== undefined) return refused;
    if (resolution !== undefined) return resolution;
    await withGateways(flags, inside, async (client) => {
      resolution = await client.resolve(call);
      return 'enough';
    });
  } catch (error) {
    // Whatever stands in the way there: from here nothing is answered.
    if (inside !== undefined) return refused;
    if (!(error instanceof HandraiseError)) throw error;
    if (error.code === 'refused') return { code: 'refused', sentence: hinted(error) };
    if (error.code !== 'unavailable') throw error;
    return { code: 'unavailable', sentence: hinted(error) };
  }
  return resolution ?? { code: 'not_found', sentence: resolveSentence('not_found', undefined, Date.now()) };
}

function hinted(error: HandraiseError): string {
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}

/** Exactly one way to answer. */
async function choiceOf({ option, other, notes, answers, skip, decline }: ResolveOptions): Promise<Choice> {
  const picked = option !== undefined || other !== undefined;
  const ways = [picked, answers !== undefined, skip === true, decline === true].filter(Boolean).length;
  if (ways !== 1) {
    throw usage(
      ways === 0 ? 'there is no answer' : 'there is more than one answer',
      'Give one of --option (and --other), --answers, --skip, --decline.',
    );
  }
  if (notes !== undefined && !picked) throw usage('--notes belongs to an --option or --other', 'Leave it out.');
  if (skip === true) return { skip: true };
  if (decline === true) return { decline: true };
  if (answers !== undefined) return readAnswers(answers === '-' ? await text(process.stdin) : answers);
  return {
    options: [...(option ?? [])],
    ...(other === undefined ? {} : { other }),
    ...(notes === undefined ? {} : { notes }),
  };
}

function readAnswers(json: string): Choice {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (thrown) {
    throw usage(`--answers is not JSON: ${sentenceOf(thrown)}`, ANSWERS_HINT);
  }
  const isObject = (part: unknown): part is Readonly<Record<string, unknown>> =>
    typeof part === 'object' && part !== null && !Array.isArray(part);
  if (!isObject(value) || !isObject(value['answers'])) throw usage('--answers holds no "answers"', ANSWERS_HINT);
  const stray = Object.keys(value).find((key) => key !== 'answers' && key !== 'annotations');
  if (stray !== undefined) throw usage(`--answers holds an unknown "${stray}"`, ANSWERS_HINT);
  const annotations = value['annotations'];
  if (annotations === undefined) return { answers: value['answers'] };
  if (!isObject(annotations)) throw usage('"annotations" is not an object', ANSWERS_HINT);
  return { answers: value['answers'], annotations };
}

const ANSWERS_HINT = 'Write for example {"answers":{"Which database?":"Postgres"}}; - reads standard input.';

function usage(sentence: string, hint: string): HandraiseError {
  return new HandraiseError(sentence, { code: 'usage', hint });
}
