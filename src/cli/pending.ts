import { basename } from 'node:path';
import { agoInWords } from '../core/duration.ts';
import { HandraiseError } from '../core/errors.ts';
import { ellipsised } from '../core/text.ts';
import { type ListedRequest, MOST_LISTED } from '../core/wire/control.ts';
import { commandRefused } from '../prompt/command-replies.ts';
import { type ControlFlags, insideAgent, withGateways } from './control-sockets.ts';
import { EXIT } from './exit-codes.ts';
import { inertJson, inertLine } from './inert.ts';

/** What all gateways that were asked know. */
interface Found {
  readonly requests: readonly ListedRequest[];
  /** With those that no list had room for. */
  readonly total: number;
}

/**
 * `handraise pending`: lists what waits for an answer, oldest first. Returns 0, also when that is nothing. Throws
 * `refused` beneath an agent, `unavailable` when no gateway answers.
 */
export async function pending(flags: ControlFlags): Promise<number> {
  const inside = insideAgent();
  if (inside !== undefined) throw new HandraiseError(commandRefused('agent_tree'), { code: 'refused', hint: inside });
  const found = await findAll(flags);
  process.stdout.write(`${flags.json === true ? inertJson(found) : asText(found, Date.now())}\n`);
  return EXIT.ok;
}

/** Gateways over the same Redis know the same requests. */
async function findAll(flags: ControlFlags): Promise<Found> {
  const byId = new Map<string, ListedRequest>();
  let unlisted = 0;
  await withGateways(flags, undefined, async (client) => {
    const { requests, total } = await client.pending();
    for (const request of requests) byId.set(request.requestId, request);
    unlisted = Math.max(unlisted, total - requests.length);
    return 'more';
  });
  const sorted = [...byId.values()].sort(byCreation);
  const requests = sorted.slice(0, MOST_LISTED);
  return { requests, total: sorted.length + unlisted };
}

function byCreation(a: ListedRequest, b: ListedRequest): number {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.requestId < b.requestId) ? -1 : 1;
}

/** What is shown of a text that a line has no room for; --json has all of it. */
const MOST_SHOWN = { question: 300, label: 80, description: 120, text: 2_000 } as const;

function asText({ requests, total }: Found, now: number): string {
  if (total === 0) return 'Nothing waits for an answer.';
  const rest = total - requests.length;
  return [
    ...requests.map((request) => entry(request, now).join('\n')),
    ...(rest > 0 ? [`… and ${rest} more that are not shown. Answer some first.`] : []),
    'Answer one: handraise resolve <request id> --option <option id>',
  ].join('\n\n');
}

function entry(request: ListedRequest, now: number): string[] {
  const { requestId, pendingId, agent, workspace, branch, startedBy, sessionId } = request;
  const place = `${basename(workspace)}${branch === undefined ? '' : ` (${branch})`}`;
  const about = [statusOf(request, now), place, agent, `started by ${startedBy}`, `session ${sessionId}`];
  return [
    requestId,
    `  ${inertLine(about.join(' · '))}`,
    ...(pendingId === undefined ? [] : [`  pending id ${inertLine(pendingId)}`]),
    ...(request.proposal === undefined ? [] : proposalLines(request.proposal)),
    ...request.questions.flatMap(({ header, question, multiSelect, options }, index) => [
      `  ${index + 1}. [${inertLine(header)}] ${fitted(question, MOST_SHOWN.question)}${multiSelect ? ' (any number)' : ''}`,
      ...options.map(({ id, label, description }) => {
        const meaning = description === '' ? '' : `: ${fitted(description, MOST_SHOWN.description)}`;
        return `     ${id}  ${fitted(label, MOST_SHOWN.label)}${meaning}`;
      }),
    ]),
  ];
}

/** What a person at a command line needs to decide; what has no room here is shown by --json. */
function proposalLines(proposal: NonNullable<ListedRequest['proposal']>): string[] {
  const { tool, effect, reason, targets, hosts, cwd, text, options } = proposal;
  const writes = targets.length === 0 ? [] : [`     writes  ${fitted(targets.join(', '), MOST_SHOWN.question)}`];
  const reaches = hosts.length === 0 ? [] : [`     reaches ${fitted(hosts.join(', '), MOST_SHOWN.question)}`];
  const whole = text.length > MOST_SHOWN.text ? ' (cut; --json has all of it)' : '';
  return [
    `  [${effect}] ${inertLine(tool)}: ${fitted(reason, MOST_SHOWN.question)}`,
    `     ${fitted(text, MOST_SHOWN.text)}${whole}`,
    ...writes,
    ...reaches,
    `     in      ${cwd === null ? 'an unknown folder' : inertLine(cwd)}`,
    ...options.map(({ id, label, description }) => `     ${id}  ${inertLine(label)}: ${inertLine(description)}`),
  ];
}

function fitted(text: string, limit: number): string {
  return inertLine(ellipsised(text, limit));
}

function statusOf({ status, createdAt, deadline }: ListedRequest, now: number): string {
  const asked = `asked ${agoInWords(now - Date.parse(createdAt))}`;
  if (status === 'recorded') return `answered, on its way to the agent · ${asked}`;
  if (status === 'queued' || deadline === undefined) return `waits for an earlier question · ${asked}`;
  return `${asked} · until ${new Date(deadline).toLocaleString()}`;
}
