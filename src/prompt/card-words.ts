import { basename } from 'node:path';
import { durationInWords } from '../core/duration.ts';
import { shownLine } from '../core/fit.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { Card } from '../core/ports/surface-adapter.ts';
import type { CardView, SessionFacts } from '../core/request.ts';
import type { SubAgent } from '../core/sub-agent.ts';
import { type Headline, nameOf } from './headline.ts';
import { proposalHeadlineOf, proposedIn } from './proposal-words.ts';

/** Who started the run, and for whom where it was told. */
export function starterOf({ startedBy, requester }: SessionFacts): string {
  return requester === undefined ? startedBy : `${startedBy} for ${requester}`;
}

/** `api (main)`: the workspace's name and branch. A branch's name is the agent's to choose, so it is made inert, too. */
export function placeOf(session: SessionFacts): string {
  const workspace = shownLine(basename(session.workspace) || session.workspace, 80);
  return session.branch === undefined ? workspace : `${workspace} (${shownLine(session.branch, 120)})`;
}

/** Who runs where, and who started it. */
export function sessionFactsOf(session: SessionFacts): string {
  return factsWith(session, undefined);
}

/** The same of a card: it also says which sub-agent asks. */
export function factsOf(view: CardView): string {
  return factsWith(view.session, view.kind === 'questions' ? view.subAgent : view.proposal.agent);
}

function factsWith(session: SessionFacts, subAgent: SubAgent | undefined): string {
  const agent = shownLine(session.program ?? session.agent, 60);
  return `${agent}${subAgentIn(subAgent)} · ${placeOf(session)} · started by ${shownLine(starterOf(session), 120)}`;
}

/** Its kind and its id are the agent's words. */
export function subAgentIn(subAgent: SubAgent | undefined): string {
  return subAgent === undefined
    ? ''
    : `, its sub-agent ${shownLine(subAgent.type, 40)} (${shownLine(subAgent.id, 40)})`;
}

export function headlineOf(outcome: Outcome, actorName: string | undefined): Headline {
  const by = actorName === undefined ? {} : { by: nameOf(actorName) };
  switch (outcome.kind) {
    case 'answered':
      return { icon: outcome.kind, state: 'Answered', meaning: '', ...by, tag: 'answered' };
    case 'partially_answered': {
      const given = outcome.sheet.filter((answer) => answer.status === 'answered').length;
      const meaning = `: ${given} of ${outcome.sheet.length} questions, the rest skipped`;
      return { icon: outcome.kind, state: 'Partly answered', meaning, ...by, tag: 'partly answered' };
    }
    case 'skipped':
      return { icon: outcome.kind, state: 'Skipped', meaning: '', ...by, tag: 'skipped' };
    case 'declined':
      return { icon: outcome.kind, state: 'Left to the agent', meaning: '', ...by, tag: 'left to the agent' };
    case 'granted':
    case 'denied':
      // No question ends like this; were it ever recorded, it would be no answer.
      return headlineOf({ kind: 'indeterminate' }, actorName);
    case 'timed_out': {
      const meaning = `: nobody answered within ${durationInWords(outcome.waitedMs)}; the agent went on without an answer`;
      return { icon: outcome.kind, state: 'Timed out', meaning, tag: 'timed out' };
    }
    case 'cancelled':
      return {
        icon: outcome.kind,
        state: 'Withdrawn',
        meaning: ': the agent took the question back before it was answered',
        tag: 'withdrawn',
      };
    case 'superseded':
      return { icon: outcome.kind, state: 'Replaced', meaning: ': the agent asked anew', tag: 'replaced' };
    case 'owner_lost':
      return {
        icon: outcome.kind,
        state: 'Agent gone',
        meaning: ': its run is over, and nobody waits for an answer any more',
        tag: 'agent gone',
      };
    case 'no_channel':
      return { icon: outcome.kind, state: 'Not asked', meaning: ': no channel is bound to this run', tag: 'not asked' };
    case 'undeliverable': {
      const why = shownLine(outcome.reason, 300);
      return { icon: outcome.kind, state: 'Given up', meaning: `: it could not be posted (${why})`, tag: 'given up' };
    }
    case 'indeterminate':
      if (outcome.reason !== undefined) {
        return {
          icon: 'undeliverable',
          state: 'Not accepted',
          meaning:
            ': something was recorded as the answer that no gateway of this agent had signed; the agent went on without it',
          tag: 'not accepted',
        };
      }
      return {
        icon: outcome.kind,
        state: 'Not confirmed',
        meaning: ': an answer was recorded, but it is not known whether it reached the agent',
        ...by,
        tag: 'not confirmed',
      };
  }
}

export function recordedHeadline(actorName: string): Headline {
  return {
    icon: 'recorded',
    state: 'Recorded, waiting for the agent',
    meaning: '',
    by: nameOf(actorName),
    tag: 'recorded',
  };
}

/** An open card has none: its buttons say what it is. */
export function headlineOfState({ view, state }: Card): Headline | undefined {
  if (state.phase === 'open') return undefined;
  if (state.phase === 'recorded') return recordedHeadline(state.actor.name);
  return view.kind === 'questions'
    ? headlineOf(state.outcome, state.actor?.name)
    : proposalHeadlineOf(view.proposal, state.outcome, state.actor?.name);
}

/** What a lock screen's brackets say of an open card: what kind of thing is wanted. */
export function wantedTag(view: CardView): string {
  return view.kind === 'questions' ? 'question' : view.proposal.effect;
}

/**
 * What is asked, on one line: the header and the question of one, the headers of several; of a proposal, what would be
 * done.
 */
export function subjectOf(view: CardView): string {
  if (view.kind === 'proposal') return proposedIn(view);
  const headers = view.questions.map((asked) => shownLine(asked.header, 60));
  const [only] = view.questions;
  if (view.questions.length > 1 || only === undefined) return `${headers.length} questions: ${headers.join(', ')}`;
  return `${headers[0]}: ${shownLine(only.question, 200)}`;
}

/** The same in a list: a step says first what it would do. */
export function listedSubject(view: CardView): string {
  return view.kind === 'proposal' ? `[${view.proposal.effect}] ${subjectOf(view)}` : subjectOf(view);
}
