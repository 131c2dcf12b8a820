import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../../src/core/grants/grant.ts';
import { notCovered, type StepFacts } from '../../../../src/gate/grants/covers.ts';
import { offersFor } from '../../../../src/gate/grants/offers.ts';
import type { JudgedStep } from '../../../../src/gate/grants/step.ts';

const NOW = Date.UTC(2026, 7, 3, 10);
const LIMIT = NOW + 4 * 3_600_000;
const WORKSPACE = '/home/ana/api';

/** Everything that a card can be about. Each is its own digest. */
const STEPS = {
  'write inside': step('write', [`${WORKSPACE}/src/a.ts`]),
  'other file inside': step('write', [`${WORKSPACE}/src/b.ts`]),
  'shell write inside': step('write', [`${WORKSPACE}/dist`, `${WORKSPACE}/dist/x`]),
  'write outside': step('write', ['/home/ana/.cache/x']),
  'write inside and outside': step('write', [`${WORKSPACE}/src/a.ts`, '/tmp/x']),
  'write of nobody knows what': step('write', []),
  'project code': step('write', [`${WORKSPACE}/coverage`], 'code-exec'),
  'unknown program': step('unknown', []),
  'agent settings': { ...step('write', []), targets: [later(`${WORKSPACE}/.claude/settings.json`)] },
  'git hook by a command': step('write', [`${WORKSPACE}/.git/hooks/pre-push`], 'persistence'),
  'write with a secret': step('write', [`${WORKSPACE}/src/a.ts`], 'secret-read'),
  'read of a secret': step('read', [], 'secret-read'),
  external: step('external', []),
} as const satisfies Record<string, JudgedStep>;
type StepName = keyof typeof STEPS;

function step(effect: JudgedStep['effect'], paths: readonly string[], ...tags: JudgedStep['tags'][number][]) {
  const targets = paths.map((path) => ({ path, inside: path.startsWith(`${WORKSPACE}/`), later: false }));
  return { effect, tags, targets } satisfies JudgedStep;
}

function later(path: string) {
  return { path, inside: true, later: true };
}

function facts(name: StepName, more: Partial<StepFacts> = {}): StepFacts {
  return {
    callId: 'call-2',
    sessionId: 'session-1',
    workspace: WORKSPACE,
    ownerId: 'owner-1',
    turnId: 'turn-1',
    cwdKnown: true,
    digest: name,
    ...more,
  };
}

/** What a person granted by choosing this scope on the card of this step; undefined where it is not on the card. */
function granted(scope: Grant['scope'], name: StepName, more: Partial<Grant> = {}): Grant | undefined {
  const words = { turn: 'this turn', session: 'this session' };
  const offers = offersFor(STEPS[name], { inTurn: true, cwdKnown: true, endsAt: LIMIT, words });
  const offer = offers.find((one) => one.scope === scope);
  if (offer === undefined) return undefined;
  const { covers, endsAt } = offer;
  const { cwdKnown: _, ...own } = facts(name, { callId: 'call-1' });
  const limit = endsAt === undefined ? {} : { endsAt };
  return { requestId: 'r1', scope, covers, ...limit, ...own, grantedAt: NOW, uses: 0, ...more };
}

function mustBeGranted(scope: Grant['scope'], name: StepName, more: Partial<Grant> = {}): Grant {
  const grant = granted(scope, name, more);
  if (grant === undefined) throw new Error(`${scope} is not offered for: ${name}`);
  return grant;
}

const EVERY_STEP = Object.keys(STEPS) as StepName[];

describe('what a card offers', () => {
  it.each<[StepName, readonly string[]]>([
    ['write inside', ['turn', 'action', 'session']],
    ['other file inside', ['turn', 'action', 'session']],
    ['shell write inside', ['turn', 'action', 'session']],
    ['write outside', ['action']],
    ['write inside and outside', ['action']],
    ['write of nobody knows what', ['turn', 'action', 'session']],
    ['project code', ['turn', 'action', 'session']],
    ['unknown program', ['turn', 'action', 'session']],
    ['agent settings', ['action']],
    ['git hook by a command', ['action']],
    ['write with a secret', ['action']],
    ['read of a secret', ['action']],
    ['external', ['action']],
  ])('%s: %j', (name, scopes) => {
    const words = { turn: 'this turn', session: 'this session' };
    const offers = offersFor(STEPS[name], { inTurn: true, cwdKnown: true, endsAt: LIMIT, words });
    expect(offers.map(({ scope }) => scope)).toEqual(scopes);
    for (const { scope, covers, endsAt, confirm } of offers) {
      expect(confirm).toBe(name === 'external');
      expect(endsAt).toBe(scope === 'action' ? undefined : LIMIT);
      if (scope === 'action') expect(covers).toBe('this-call');
    }
  });

  it('reaches beyond the very same step only for writes that are known to stay inside', () => {
    const wide = EVERY_STEP.filter((name) => granted('turn', name)?.covers === 'workspace-writes');
    expect(wide).toEqual(['write inside', 'other file inside', 'shell write inside']);
  });

  it('is this call only where it is not known where the step runs', () => {
    const words = { turn: 'this turn', session: 'this session' };
    for (const name of EVERY_STEP) {
      const offers = offersFor(STEPS[name], { inTurn: true, cwdKnown: false, endsAt: LIMIT, words });
      expect(offers.map(({ scope }) => scope)).toEqual(['action']);
    }
  });

  it('has no turn where none is known', () => {
    const words = { turn: 'this turn', session: 'this session' };
    const offers = offersFor(STEPS['write inside'], { inTurn: false, cwdKnown: true, endsAt: LIMIT, words });
    expect(offers.map(({ scope }) => scope)).toEqual(['action', 'session']);
  });
});

/** The later steps that a grant given on the card of the first is good for; by another call, in the same turn. */
const GOOD_FOR: Readonly<Record<StepName, readonly StepName[]>> = {
  'write inside': ['write inside', 'other file inside', 'shell write inside'],
  'other file inside': ['write inside', 'other file inside', 'shell write inside'],
  'shell write inside': ['write inside', 'other file inside', 'shell write inside'],
  'write of nobody knows what': ['write of nobody knows what'],
  'project code': ['project code'],
  'unknown program': ['unknown program'],
  // Only offered as an action.
  'write outside': [],
  'write inside and outside': [],
  'agent settings': [],
  'git hook by a command': [],
  'write with a secret': [],
  'read of a secret': [],
  external: [],
};

const CELLS = EVERY_STEP.flatMap((first) => EVERY_STEP.map((then) => [first, then] as const));

describe.each(['turn', 'session'] as const)('a grant for a %s', (scope) => {
  it.each(CELLS)('on %s, then %s', (first, then) => {
    const grant = granted(scope, first);
    if (grant === undefined) {
      expect(GOOD_FOR[first]).toEqual([]);
      return;
    }
    const isGood = notCovered(grant, STEPS[then], facts(then), NOW) === undefined;
    expect(isGood).toBe(GOOD_FOR[first].includes(then));
  });

  it.each(EVERY_STEP.filter((name) => GOOD_FOR[name].length > 0))(
    'on %s, then the same with another digest',
    (name) => {
      const grant = mustBeGranted(scope, name);
      const changed = notCovered(grant, STEPS[name], facts(name, { digest: 'another' }), NOW);
      expect(changed).toBe(grant.covers === 'workspace-writes' ? undefined : 'other_digest');
    },
  );

  it.each<[string, Partial<StepFacts>, number, string | undefined]>([
    ['in another session', { sessionId: 'session-2' }, NOW, 'other_session'],
    ['in another workspace', { workspace: '/home/ana/web' }, NOW, 'other_workspace'],
    ['in the next turn', { turnId: 'turn-2' }, NOW, scope === 'turn' ? 'other_turn' : undefined],
    ['where no turn is known', { turnId: undefined as never }, NOW, scope === 'turn' ? 'other_turn' : undefined],
    ['in another process', { ownerId: 'owner-2' }, NOW, scope === 'turn' ? 'other_turn' : undefined],
    ['where the folder is not known', { cwdKnown: false }, NOW, 'reaches_further'],
    ['a millisecond before its time limit', {}, LIMIT - 1, undefined],
    ['at its time limit', {}, LIMIT, 'over'],
  ])('is good for the same step %s: %j', (_, other, now, expected) => {
    for (const name of ['write inside', 'unknown program'] as const) {
      expect(notCovered(mustBeGranted(scope, name), STEPS[name], facts(name, other), now)).toBe(expected);
    }
  });

  it.each(['turn_ended', 'session_ended', 'time_limit', 'workspace_changed', 'revoked', 'owner_stopped'] as const)(
    'is good for nothing once it has ended (%s)',
    (why) => {
      for (const name of EVERY_STEP) {
        const grant = granted(scope, name, { ended: { why, at: NOW } });
        if (grant === undefined) continue;
        for (const then of EVERY_STEP) expect(notCovered(grant, STEPS[then], facts(then), NOW)).toBe('over');
      }
    },
  );
});

describe('a grant for an action', () => {
  it.each(CELLS)('on %s, then %s by another call', (first, then) => {
    const grant = mustBeGranted('action', first);
    expect(notCovered(grant, STEPS[then], facts(then), NOW)).toBe('other_call');
  });

  it.each(EVERY_STEP)('on %s is good for the call that asked, as long as that is what was on the card', (name) => {
    const grant = mustBeGranted('action', name);
    const own = { callId: 'call-1' };
    expect(notCovered(grant, STEPS[name], facts(name, own), NOW)).toBeUndefined();
    expect(notCovered(grant, STEPS[name], facts(name, { ...own, cwdKnown: false }), NOW)).toBeUndefined();
    expect(notCovered(grant, STEPS[name], facts(name, { ...own, digest: 'another' }), NOW)).toBe('other_digest');
    expect(notCovered({ ...grant, ended: { why: 'used', at: NOW } }, STEPS[name], facts(name, own), NOW)).toBe('over');
  });
});

it('a stored action that claims to be good for more is good for nothing', () => {
  const grant = { ...mustBeGranted('action', 'write inside'), covers: 'workspace-writes' } as const;
  expect(notCovered(grant, STEPS['write inside'], facts('write inside'), NOW)).toBe('other_call');
});

it('an external step is good for nothing but its own grant, even with the digest of one that was granted', () => {
  for (const scope of ['turn', 'session'] as const) {
    for (const name of ['write inside', 'unknown program', 'project code'] as const) {
      const grant = mustBeGranted(scope, name);
      expect(notCovered(grant, STEPS.external, facts(name), NOW)).toBe('reaches_further');
    }
  }
});
