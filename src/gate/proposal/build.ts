import type { CallFacts, ToolCall } from '../../core/ports/gate.ts';
import type { FullText, Offer, Proposal } from '../../core/proposals/contract.ts';
import type { GatedStep } from '../gated-step.ts';
import { fileChange } from './file-change.ts';

/** Unbound things that are named on a card. */
const MOST_NAMED = 3;

/** Everything that people are shown of a step, from what will run and from the disk as it is now. */
export async function proposalOf(
  call: ToolCall,
  facts: CallFacts,
  step: GatedStep,
  { digest, unbound, offers }: { digest: string; unbound: readonly string[]; offers: readonly Offer[] },
): Promise<Proposal> {
  const says = memberOf(call.input, 'description');
  const { effect, tags, part, programs, targets, hosts } = step;
  return {
    tool: call.tool,
    effect,
    tags: [...tags],
    reason: unbound.length === 0 ? step.reason : `${step.reason}. ${notBound(unbound)}`,
    ...(part === undefined ? {} : { part }),
    programs,
    targets,
    hosts: [...hosts],
    cwd: facts.cwd,
    ...(facts.agentId === undefined ? {} : { agent: { id: facts.agentId, type: facts.agentType ?? 'agent' } }),
    full: await fullText(call, step),
    ...(call.tool === 'Bash' && typeof says === 'string' && says !== '' ? { agentSays: says } : {}),
    digest,
    offers,
  };
}

async function fullText({ tool, input }: ToolCall, { targets }: GatedStep): Promise<FullText> {
  const command = memberOf(input, 'command');
  if (tool === 'Bash' && typeof command === 'string') return { kind: 'command', text: command };
  const [target] = targets;
  const diff = target === undefined ? undefined : await fileChange(tool, input, target.path);
  if (target !== undefined && diff !== undefined) return { kind: 'diff', path: target.path, text: diff };
  return { kind: 'input', text: JSON.stringify(input, null, 2) ?? 'null' };
}

function notBound(unbound: readonly string[]): string {
  const named = unbound.slice(0, MOST_NAMED).join('; ');
  const more = unbound.length - MOST_NAMED;
  return `May still change until it runs: ${named}${more > 0 ? `; and ${more} more` : ''}`;
}

function memberOf(input: unknown, name: string): unknown {
  return typeof input === 'object' && input !== null && Object.hasOwn(input, name)
    ? (input as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
