import { relative } from 'node:path';
import { durationInWords } from '../core/duration.ts';
import { shownLine } from '../core/fit.ts';
import type { Outcome, Withheld } from '../core/outcomes.ts';
import type { LaterAction } from '../core/ports/surface-adapter.ts';
import { type Offer, offersOf, type Proposal, type ProposedEffect } from '../core/proposals/contract.ts';
import type { ProposalView } from '../core/request.ts';
import { isBlank } from '../core/text.ts';
import { type Headline, nameOf } from './headline.ts';
import { withLookAlikesMarked } from './look-alikes.ts';
import { offerWords } from './offer-words.ts';

/** How an effect is told: the word that a card begins with, and what it means for whoever decides. */
export const EFFECT_WORDS: Readonly<Record<ProposedEffect, { readonly word: string; readonly meaning: string }>> = {
  read: { word: 'READ', meaning: 'changes nothing, and shows the agent what may not be meant for it' },
  write: { word: 'WRITE', meaning: 'changes files' },
  unknown: { word: 'UNKNOWN', meaning: 'could do anything this machine lets it' },
  external: { word: 'EXTERNAL', meaning: 'reaches beyond this machine and cannot be taken back' },
};

/** What a proposal's own buttons say, on every platform. Those that grant are worded by `offer-words.ts`. */
export const PROPOSAL_BUTTONS = Object.freeze({ deny: 'Deny', denyNote: 'Deny with note…', review: 'Review…' });

/** What may be pressed on the card of one that ended. */
export const LATER_LABELS: Readonly<Record<LaterAction, string>> = { revoke: 'Revoke', askagain: 'Ask again' };

/** The agent's own word, where it says anything. */
export function agentSaysOf({ agentSays }: Proposal): string | undefined {
  return agentSays === undefined || isBlank(agentSays) ? undefined : agentSays;
}

/** What would be done, on one line: `edit src/a.ts`, `run git push`. Inert. */
export function proposedIn({ session, proposal }: ProposalView): string {
  const { tool, full, programs } = proposal;
  if (full.kind === 'diff') return `${verbOf(tool)} ${pathFrom(session.workspace, full.path)}`;
  if (full.kind === 'input') return `use ${shownLine(tool, 120)}`;
  const deciding = programs.find(({ effect }) => effect === proposal.effect);
  return `run ${withLookAlikesMarked(shownLine(deciding?.text ?? full.text, 200))}`;
}

/** As it is known in the workspace; what is outside keeps its whole path. Inert. */
export function pathFrom(workspace: string, path: string): string {
  const within = relative(workspace, path);
  return shownLine(within === '' || within.startsWith('..') || within.startsWith('/') ? path : within, 400);
}

/** What became of a proposal. Only a person's click is called a refusal. */
export function proposalHeadlineOf(proposal: Proposal, outcome: Outcome, actorName: string | undefined): Headline {
  const by = actorName === undefined ? {} : { by: nameOf(actorName) };
  switch (outcome.kind) {
    case 'granted': {
      const offer = offersOf(proposal).find(({ scope }) => scope === outcome.scope);
      return { icon: 'granted', state: 'Allowed', meaning: grantedMeaning(offer), ...by, tag: 'allowed' };
    }
    case 'denied':
      return { icon: 'denied', state: 'Denied', meaning: ': it was not run', ...by, tag: 'denied' };
    case 'timed_out': {
      const waited = durationInWords(outcome.waitedMs);
      const meaning = `: nobody answered within ${waited}; this is not a refusal, and it was not run`;
      return { icon: 'timed_out', state: 'Timed out', meaning, tag: 'timed out' };
    }
    case 'cancelled':
      if (outcome.coveredBy !== undefined) {
        return {
          icon: 'granted',
          state: 'Answered elsewhere',
          meaning: ': what was allowed on another card of this session covers it, so nobody need decide here',
          tag: 'answered elsewhere',
        };
      }
      return {
        icon: 'cancelled',
        state: 'Withdrawn',
        meaning: ': the agent does not want it any more, and it was not run',
        tag: 'withdrawn',
      };
    case 'superseded':
      return { icon: 'superseded', state: 'Replaced', meaning: ': the agent proposed anew', tag: 'replaced' };
    case 'owner_lost':
      return {
        icon: 'owner_lost',
        state: 'Agent gone',
        meaning: ': its run is over, and it was not run',
        tag: 'agent gone',
      };
    case 'no_channel':
      return { icon: 'no_channel', state: 'Not asked', meaning: ': nobody may approve here', tag: 'not asked' };
    case 'undeliverable': {
      const why = shownLine(outcome.reason, 300);
      const meaning = `: it could not be posted, and it was not run (${why})`;
      return { icon: 'undeliverable', state: 'Given up', meaning, tag: 'given up' };
    }
    case 'indeterminate':
      if (outcome.reason !== undefined) {
        return {
          icon: 'undeliverable',
          state: 'Not accepted',
          meaning: ': something was recorded that no gateway of this agent had signed; it was not run',
          tag: 'not accepted',
        };
      }
      if (outcome.withheld !== undefined) {
        const meaning = `: it was allowed, but ${WITHHELD_WORDS[outcome.withheld]}; it was not run`;
        return { icon: 'undeliverable', state: 'Not run', meaning, ...by, tag: 'not run' };
      }
      return {
        icon: 'indeterminate',
        state: 'Not confirmed',
        meaning: ': a decision was recorded, but it is not known whether it reached the agent',
        ...by,
        tag: 'not confirmed',
      };
    default:
      // No proposal ends like a question; were it ever recorded, it would decide nothing.
      return proposalHeadlineOf(proposal, { kind: 'indeterminate' }, actorName);
  }
}

/** After "it was allowed, but". */
export const WITHHELD_WORDS: Readonly<Record<Withheld, string>> = {
  drifted: 'what it would run had changed since it was shown',
  grant_over: 'the permission was over before it was used',
  not_recorded: 'the permission could not be recorded',
};

function grantedMeaning(offer: Offer | undefined): string {
  return offer === undefined ? '' : `: ${offerWords(offer).meaning}`;
}

function verbOf(tool: string): string {
  return VERBS[tool] ?? `use ${shownLine(tool, 120)} on`;
}

const VERBS: Readonly<Record<string, string>> = {
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Write: 'write',
};
