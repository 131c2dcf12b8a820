import { basename } from 'node:path';
import { agoInWords } from '../core/duration.ts';
import { HandraiseError } from '../core/errors.ts';
import type { ListedGrant, Revocation } from '../core/wire/control.ts';
import { commandRefused } from '../prompt/command-replies.ts';
import { revokeSentence } from '../prompt/grant-words.ts';
import { type ControlFlags, insideAgent, withGateways } from './control-sockets.ts';
import { EXIT } from './exit-codes.ts';
import { inertJson, inertLine } from './inert.ts';

/**
 * `handraise grants`: what people allowed for longer than one step, and is good right now. Returns 0, also when that is
 * nothing. Throws `refused` beneath an agent, `unavailable` when no gateway answers.
 */
export async function grants(flags: ControlFlags): Promise<number> {
  refuseInside();
  const byId = new Map<string, ListedGrant>();
  await withGateways(flags, undefined, async (client) => {
    for (const grant of await client.grants()) byId.set(grant.requestId, grant);
    return 'more';
  });
  const found = [...byId.values()].sort((a, b) => (a.grantedAt < b.grantedAt ? -1 : 1));
  const text = flags.json === true ? inertJson({ grants: found }) : asText(found, Date.now());
  process.stdout.write(`${text}\n`);
  return EXIT.ok;
}

const EXIT_OF: Readonly<Record<Revocation['code'], number>> = {
  revoked: EXIT.ok,
  over: EXIT.notAnswered,
  not_found: EXIT.notAnswered,
  refused: EXIT.refused,
  audit_failed: EXIT.unavailable,
  unavailable: EXIT.unavailable,
};

/** `handraise grants revoke`: takes one back, by the gateway that knows it. Says what came of it and by its exit code. */
export async function revokeGrant(requestId: string, flags: ControlFlags): Promise<number> {
  if (requestId === '' || requestId.length > 256) {
    throw new HandraiseError('That is no request id.', { code: 'usage', hint: '`handraise grants` lists them.' });
  }
  const inside = insideAgent();
  let said: Revocation = { code: 'not_found', sentence: revokeSentence('not_found') };
  try {
    await withGateways(flags, inside, async (client) => {
      said = await client.revoke(requestId);
      return said.code === 'not_found' ? 'more' : 'enough';
    });
  } catch (error) {
    if (!(error instanceof HandraiseError) || inside === undefined) throw error;
  }
  // Whatever a gateway says, and where none answers: from here nothing is taken back.
  if (inside !== undefined) said = { code: 'refused', sentence: commandRefused('agent_tree') };
  if (flags.json === true) process.stdout.write(`${inertJson({ ...said, requestId })}\n`);
  else if (said.code === 'revoked') process.stdout.write(`${said.sentence}\n`);
  else process.stderr.write(`handraise: ${inertLine(`${said.code}: ${said.sentence}`)}\n`);
  return EXIT_OF[said.code];
}

function refuseInside(): void {
  const inside = insideAgent();
  if (inside !== undefined) throw new HandraiseError(commandRefused('agent_tree'), { code: 'refused', hint: inside });
}

function asText(found: readonly ListedGrant[], now: number): string {
  if (found.length === 0) return 'Nothing is allowed beyond what was asked step by step.';
  return [
    ...found.map((grant) => entry(grant, now).join('\n')),
    'Take one back: handraise grants revoke <request id>',
  ].join('\n\n');
}

const COVERS: Readonly<Record<ListedGrant['covers'], string>> = {
  'this-call': 'one step',
  'same-digest': 'exactly the step that was asked about',
  'workspace-writes': 'every write inside the workspace',
};

function entry(grant: ListedGrant, now: number): string[] {
  const { requestId, scope, covers, workspace, by, grantedAt, endsAt, uses, sessionId } = grant;
  const allowed = `allowed ${agoInWords(now - Date.parse(grantedAt))}${by === undefined ? '' : ` by ${by}`}`;
  const until = endsAt === undefined ? [] : [`until ${new Date(endsAt).toLocaleString()} at the latest`];
  const about = [`for the ${scope}`, basename(workspace), allowed, ...until, `used ${uses} ×`, `session ${sessionId}`];
  return [requestId, `  ${COVERS[covers]}`, `  ${inertLine(about.join(' · '))}`];
}
