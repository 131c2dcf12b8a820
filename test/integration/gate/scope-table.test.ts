import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallFacts, Gate, GateDecision, ToolCall } from '../../../src/core/ports/gate.ts';
import type { Scope } from '../../../src/core/proposals/contract.ts';
import type { Decision, RequestRecord } from '../../../src/core/request.ts';
import { ownerOverRedis } from '../../support/redis-gate.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import { ANA } from '../../support/requests.ts';
import { arrived, bash, DENY, gateStage, grant, proposalIn, writing } from '../../support/write-gate.ts';

const server = await startRedisServer();
afterAll(() => server.stop());

/** Of a grant that is to run out; the clock of the memory stage is moved, Redis' own goes on by itself. */
const SHORT_MS = 300;

/** One run with its gate, wherever its grants are. */
interface Owner {
  readonly workspace: string;
  readonly gate: Gate;
  check(call: ToolCall, facts?: Partial<CallFacts>): Promise<GateDecision>;
  open(): Promise<readonly RequestRecord[]>;
  cards(count: number): Promise<readonly RequestRecord[]>;
  decide(record: RequestRecord, decision: Decision): Promise<void>;
  /** Waits until no grant is good any more. */
  timeIsUp(): Promise<void>;
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function inMemory(sessionGrantMs: number): Promise<Owner> {
  const stage = await gateStage({ settings: { sessionGrantMs } });
  closing.push(() => stage.stop());
  return {
    ...stage,
    open: async () => (await stage.store.listUnfinished()).filter(({ status }) => status === 'open'),
    decide: ({ requestId }, decision) => stage.decide(requestId, decision),
    timeIsUp: async () => stage.clock.advance(sessionGrantMs),
  };
}

async function overRedis(sessionGrantMs: number): Promise<Owner> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hr-scope-')));
  const owner = await ownerOverRedis({ url: server.url, workspace, settings: { sessionGrantMs } });
  closing.push(async () => {
    await owner.close();
    rmSync(workspace, { recursive: true, force: true });
  });
  return {
    ...owner,
    workspace,
    open: async () => (await owner.store.listUnfinished()).filter(({ status }) => status === 'open'),
    async timeIsUp() {
      await expect.poll(() => owner.store.grants.listActive(), { timeout: 20_000, interval: 20 }).toEqual([]);
    },
  };
}

/** What becomes of a step: it runs by what was granted before, or people are asked. Whoever is asked denies. */
async function fateOf(owner: Owner, call: ToolCall, facts: Partial<CallFacts> = {}): Promise<'runs' | 'asked'> {
  let decision: GateDecision | undefined;
  const checking = arrived(owner.check(call, facts)).then((made) => {
    decision = made;
  });
  const isKnown = async () => decision !== undefined || (await owner.open()).length > 0;
  await expect.poll(isKnown, { timeout: 20_000, interval: 5 }).toBe(true);
  if (decision?.behavior === 'allow') return 'runs';
  if (decision !== undefined) throw new Error(`neither run nor asked: ${decision.message}`);
  const [card] = await owner.cards(1);
  if (card === undefined) throw new Error('the card is gone');
  await owner.decide(card, DENY);
  await checking;
  return 'asked';
}

async function granted(owner: Owner, call: ToolCall, scope: Scope): Promise<RequestRecord> {
  const checking = owner.check(call);
  const [card] = await owner.cards(1);
  if (card === undefined) throw new Error('there is no card');
  await owner.decide(card, grant(scope));
  expect(await arrived(checking)).toMatchObject({ behavior: 'allow' });
  return card;
}

function put(owner: Owner, name: string, content: string): void {
  mkdirSync(dirname(join(owner.workspace, name)), { recursive: true });
  writeFileSync(join(owner.workspace, name), content);
}

type Fate = 'runs' | 'asked';

interface Since {
  /** What happens between the grant and the later step. */
  readonly since?: (owner: Owner, card: RequestRecord) => unknown;
  readonly facts?: Partial<CallFacts>;
  readonly shortLived?: true;
}

/** A later step, and its fate after a grant for one action, for the turn and for the session. */
type Row = readonly [
  later: string,
  call: (owner: Owner) => ToolCall,
  fates: readonly [Fate, Fate, Fate],
  since?: Since,
];

const EDIT = () => writing('src/a.ts');
const TESTS = () => bash('npm test');
const PACKAGE = '{"name":"x","scripts":{"test":"node check.js"}}';
const outside = ({ workspace }: Owner) => writing(join(dirname(workspace), 'elsewhere.txt'));

//                     action   turn     session
const ALWAYS_ASKED = ['asked', 'asked', 'asked'] as const;
const COVERED = ['asked', 'runs', 'runs'] as const;
const SESSION_ONLY = ['asked', 'asked', 'runs'] as const;

/** What no grant is ever good for. */
const NEVER: readonly Row[] = [
  ['a file outside the workspace', outside, ALWAYS_ASKED],
  ['agent settings', () => writing('.claude/settings.json', '{}'), ALWAYS_ASKED],
  ['an external step', () => bash('git push origin main'), ALWAYS_ASKED],
  ['reading a secret', () => bash('cat .env'), ALWAYS_ASKED],
  ['a step of unknown effect', () => bash('frobnicate --all'), ALWAYS_ASKED],
];

/** What ends a grant, whatever it was for: `same` is the step that it was given for. */
const endsOf = (same: () => ToolCall): readonly Row[] => [
  ['the same in another session', same, ALWAYS_ASKED, { facts: { sessionId: 'session-2', turnId: 'turn-2' } }],
  ['the same in the next turn', same, SESSION_ONLY, { facts: { turnId: 'turn-2' } }],
  ['the same after the turn ended', same, SESSION_ONLY, { since: ({ gate }) => gate.turnEnded('turn-1') }],
  ['the same after the session ended', same, ALWAYS_ASKED, { since: ({ gate }) => gate.sessionEnded('session-1') }],
  ['the same after its time', same, ALWAYS_ASKED, { since: (owner) => owner.timeIsUp(), shortLived: true }],
  [
    'the same after it was revoked',
    same,
    ALWAYS_ASKED,
    { since: ({ gate }, card) => gate.revoke(card.requestId, ANA) },
  ],
];

const AFTER_A_WRITE: readonly Row[] = [
  ['the same', EDIT, COVERED],
  ['another file inside', () => writing('lib/b.ts'), COVERED],
  ['a shell write inside', () => bash('touch lib/c.ts && mkdir -p build'), COVERED],
  ['a shell write outside', () => bash('touch ../elsewhere.txt'), ALWAYS_ASKED],
  ['project code', TESTS, ALWAYS_ASKED],
  ...NEVER,
  ...endsOf(EDIT),
];

const AFTER_PROJECT_CODE: readonly Row[] = [
  ['the same', TESTS, COVERED],
  ['the same with another description', () => bash('npm test', { description: 'Again' }), COVERED],
  [
    'the same words after its script changed',
    TESTS,
    ALWAYS_ASKED,
    { since: (owner) => put(owner, 'package.json', PACKAGE.replace('check', 'other')) },
  ],
  ['other project code', () => bash('npm test -- --watch'), ALWAYS_ASKED],
  ['a file inside', EDIT, ALWAYS_ASKED],
  ...NEVER,
  ...endsOf(TESTS),
];

/** product.md "Grant proposals": one test a cell. */
describe.each([
  ['in memory', inMemory],
  ['over Redis', overRedis],
] as const)('what a grant covers, %s', (_, open) => {
  beforeEach(() => server.client.flushall());

  const tables = [
    { given: 'a write inside the workspace', step: EDIT, rows: AFTER_A_WRITE },
    { given: 'project code', step: TESTS, rows: AFTER_PROJECT_CODE },
  ];
  describe.each(tables)('given for $given', ({ step, rows }) => {
    const cells = rows.flatMap(([later, call, fates, { since, facts, shortLived } = {}]) =>
      (['action', 'turn', 'session'] as const).map((scope, at) => ({
        later,
        call,
        since,
        facts,
        shortLived,
        scope,
        fate: fates[at],
      })),
    );
    it.each(cells)('for $scope: $later is $fate', async ({ scope, fate, call, since, facts, shortLived }) => {
      const owner = await open(shortLived === true ? SHORT_MS : 3_600_000);
      put(owner, 'package.json', PACKAGE);
      const card = await granted(owner, step(), scope);
      await since?.(owner, card);
      expect(await fateOf(owner, call(owner), facts)).toBe(fate);
    });
  });

  it.each<[string, (owner: Owner) => ToolCall, readonly Scope[]]>([
    ['a write inside the workspace', EDIT, ['turn', 'action', 'session']],
    ['a shell write inside the workspace', () => bash('mkdir -p build'), ['turn', 'action', 'session']],
    ['project code', TESTS, ['turn', 'action', 'session']],
    ['a step of unknown effect', () => bash('frobnicate --all'), ['turn', 'action', 'session']],
    ['agent settings', () => writing('.claude/settings.json', '{}'), ['action']],
    ['a git hook', () => writing('.git/hooks/pre-commit', 'x'), ['action']],
    ['a CI workflow', () => writing('.github/workflows/ci.yml', 'x'), ['action']],
    ['a file outside the workspace', outside, ['action']],
    ['a shell write outside the workspace', () => bash('touch ../elsewhere.txt'), ['action']],
    ['an external step', () => bash('git push origin main'), ['action']],
    ['an external step in a chain', () => bash('touch a && git push'), ['action']],
    ['reading a secret', () => bash('cat .env'), ['action']],
  ])('%s is offered for no longer than it may be', async (_what, call, scopes) => {
    const owner = await open(3_600_000);
    const checking = owner.check(call(owner));
    const [card] = await owner.cards(1);
    expect(proposalIn(card).offers.map(({ scope }) => scope)).toEqual(scopes);
    if (card !== undefined) await owner.decide(card, DENY);
    await arrived(checking);
  });
});

it('a grant for a session is over when the session goes on in another workspace', async () => {
  await server.client.flushall();
  const first = await overRedis(3_600_000);
  await granted(first, EDIT(), 'session');
  expect(await fateOf(first, writing('lib/b.ts'), { turnId: 'turn-2' })).toBe('runs');
  const second = await overRedis(3_600_000);
  expect(await fateOf(second, EDIT())).toBe('asked');
});
