import type { Offer, Proposal } from '../../src/core/proposals/contract.ts';
import type { NewProposal } from '../../src/core/request.ts';
import { proposalView } from '../../src/prompt/card-view.ts';
import { SESSION } from './requests.ts';

export const ONCE: Offer = { scope: 'action', covers: 'this-call', lifetimeWords: 'this call', confirm: false };
export const TURN: Offer = { scope: 'turn', covers: 'workspace-writes', lifetimeWords: 'this turn', confirm: false };
export const FOR_SESSION: Offer = {
  scope: 'session',
  covers: 'workspace-writes',
  lifetimeWords: 'this session',
  endsAt: Date.UTC(2026, 7, 3, 14),
  confirm: false,
};

/** A write inside the workspace by a shell command. */
export function writeOf(more: Partial<Proposal> = {}): Proposal {
  const text = 'touch src/a.ts';
  return {
    tool: 'Bash',
    effect: 'write',
    tags: [],
    reason: 'touch makes files',
    part: text,
    programs: [{ name: 'touch', effect: 'write', text }],
    targets: [{ path: '/home/ana/api/src/a.ts', inside: true, later: false }],
    hosts: [],
    cwd: '/home/ana/api',
    full: { kind: 'command', text },
    digest: 'a1'.repeat(32),
    offers: [TURN, ONCE, FOR_SESSION],
    ...more,
  };
}

/** A step that reaches beyond the machine. */
export function pushOf(more: Partial<Proposal> = {}): Proposal {
  const text = 'git push origin main';
  return writeOf({
    effect: 'external',
    tags: ['network'],
    reason: 'git push sends commits to a remote repository',
    part: text,
    programs: [{ name: 'git', effect: 'external', text }],
    targets: [],
    hosts: ['origin'],
    full: { kind: 'command', text },
    digest: 'b2'.repeat(32),
    offers: [{ ...ONCE, confirm: true }],
    ...more,
  });
}

/** A proposal as an owner hands it over. */
export function proposalRequestOf(requestId: string, proposal: Proposal, more: Partial<NewProposal> = {}): NewProposal {
  const session = more.session ?? SESSION;
  return {
    requestId,
    ownerId: 'owner-1',
    session,
    kind: 'proposal',
    view: proposalView(requestId, session, proposal),
    waitMs: 300_000,
    ...more,
  };
}
