import { durationInWords } from '../core/duration.ts';
import type { GrantEnd } from '../core/grants/grant.ts';
import type { Outcome } from '../core/outcomes.ts';
import type { DenialKind, GateEvent } from '../core/ports/gate.ts';

/** Why a step is not run, with what its sentence needs. */
export interface Denial {
  readonly kind: DenialKind;
  readonly message: string;
  /** Whose decision that was. */
  readonly by: GateEvent['by'];
}

const NOTHING_RAN = 'Nothing was run.';
const GO_ON = 'Go on with what you can do without it, and say what is left undone and why.';
const NOT_A_REFUSAL = 'This is not a refusal by a person';

const FIXED: Readonly<
  Record<
    Extract<
      DenialKind,
      | 'names_handraise'
      | 'secret'
      | 'too_large'
      | 'not_understood'
      | 'too_many'
      | 'unanswered_before'
      | 'drifted'
      | 'not_recorded'
    >,
    Omit<Denial, 'kind'>
  >
> = {
  names_handraise: {
    by: 'policy',
    message: `This step names handraise's own commands, files or settings. An agent may not touch what decides about it, and nobody is asked. ${NOTHING_RAN} Do it without that.`,
  },
  secret: {
    by: 'policy',
    message: `This step reads what may hold a secret, which the configuration of this run refuses without asking. ${NOTHING_RAN} ${GO_ON}`,
  },
  too_large: {
    by: 'policy',
    message: `This step is too large for a person to review, so nobody was asked. ${NOTHING_RAN} Do it in smaller steps.`,
  },
  not_understood: {
    by: 'system',
    message: `This step could not be understood well enough to put it to a person. ${NOTHING_RAN} Write it in a simpler form.`,
  },
  too_many: {
    by: 'policy',
    message: `Too many steps of this session wait for a person already, so this one was not put to them. ${NOTHING_RAN} Wait for those, then try it again.`,
  },
  unanswered_before: {
    by: 'timeout',
    message: `Nobody answered when this very step was proposed earlier in this turn, so it was not proposed again. ${NOT_A_REFUSAL}. ${NOTHING_RAN} ${GO_ON}`,
  },
  drifted: {
    by: 'system',
    message: `What this step would run changed after it was shown to a person: a file that it names, or what it stands for. The permission was for the earlier state. ${NOTHING_RAN} Look at what changed, then try the step again to have it proposed anew.`,
  },
  not_recorded: {
    by: 'system',
    message: `handraise could not look up or record whether this step is allowed. ${NOT_A_REFUSAL}; it may be possible later. ${NOTHING_RAN} ${GO_ON}`,
  },
};

export function denial(kind: keyof typeof FIXED): Denial {
  return { kind, ...FIXED[kind] };
}

/** `note`: what the person wants the agent to know. */
export function refusedBefore(note: string | undefined): Denial {
  return {
    kind: 'refused_before',
    by: 'operator',
    message: `A person refused this very step earlier in this turn, so it was not proposed again. ${noteIn(note)}${NOTHING_RAN} Do not try it again in this turn, nor the same thing by another way.`,
  };
}

/** The grant by which the step was to run is over. */
export function grantOver(why: GrantEnd | undefined): Denial {
  const ended = why === undefined ? 'is not good any more' : ENDED[why];
  return {
    kind: 'grant_over',
    by: why === 'revoked' ? 'operator' : 'system',
    message: `The permission that this step was to run by ${ended}. ${NOTHING_RAN} Try the step again to have it proposed anew.`,
  };
}

const ENDED: Readonly<Record<GrantEnd, string>> = {
  used: 'has been used by another call',
  turn_ended: 'ended with its turn',
  session_ended: 'ended with its session',
  time_limit: 'has run out of time',
  workspace_changed: 'was for another workspace',
  revoked: 'was taken back by a person',
  drifted: 'was for an earlier state of what would run',
  not_delivered: 'ended before the agent heard of it',
  owner_stopped: 'ended with the process that it was for',
};

/** The denial that an outcome of a proposal amounts to. What is no grant is one, whatever it is. */
export function denialOf(outcome: Outcome): Denial {
  switch (outcome.kind) {
    case 'denied':
      return {
        kind: 'denied',
        by: 'operator',
        message: `A person refused this step. ${noteIn(outcome.note)}${NOTHING_RAN} Do not try it again in this turn, nor the same thing by another way.`,
      };
    case 'timed_out':
      return {
        kind: 'timed_out',
        by: 'timeout',
        message: `Nobody answered within ${durationInWords(outcome.waitedMs)} whether this step may be run. ${NOT_A_REFUSAL}. ${NOTHING_RAN} ${GO_ON}`,
      };
    case 'cancelled':
      return {
        kind: 'cancelled',
        by: 'agent',
        message: `The step was withdrawn before anybody decided. ${NOTHING_RAN}`,
      };
    case 'superseded':
      return {
        kind: 'superseded',
        by: 'agent',
        message: `A newer call replaced this step before anybody decided. ${NOTHING_RAN}`,
      };
    case 'owner_lost':
      return {
        kind: 'owner_lost',
        by: 'system',
        message: `The process that put this step to people is gone. ${NOTHING_RAN}`,
      };
    case 'no_channel':
      return {
        kind: 'no_channel',
        by: 'headless',
        message: `This run may read only, and there is nobody who could be asked for more${outcome.cure === undefined ? '' : ` (${outcome.cure})`}. ${NOTHING_RAN} ${GO_ON}`,
      };
    case 'undeliverable':
      return {
        kind: 'undeliverable',
        by: 'system',
        message: `The step could not be put to a person (${outcome.reason}). ${NOT_A_REFUSAL}. ${NOTHING_RAN} ${GO_ON}`,
      };
    default:
      return {
        kind: 'indeterminate',
        by: 'system',
        message: `A decision on this step was recorded, but it is not certain what it was or whose. ${NOT_A_REFUSAL}. ${NOTHING_RAN} ${GO_ON}`,
      };
  }
}

function noteIn(note: string | undefined): string {
  return note === undefined ? '' : `They say:\n${note}\n`;
}
