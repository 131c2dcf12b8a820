import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import type { Grant } from '../../src/core/grants/grant.ts';
import type { GrantTerms } from '../../src/core/policy/approval.ts';
import type { CallFacts, GateDecision, GateEvent, ToolCall } from '../../src/core/ports/gate.ts';
import type { GrantStore } from '../../src/core/ports/grant-store.ts';
import type { Prompter } from '../../src/core/ports/prompter.ts';
import type { Proposal } from '../../src/core/proposals/contract.ts';
import type { Decision, RequestRecord } from '../../src/core/request.ts';
import { WriteGate } from '../../src/gate/gate.ts';
import type { ClassifyCall } from '../../src/gate/gated-step.ts';
import { createVouch } from '../../src/gate/grants/vouch.ts';
import { DEFAULT_GATE, type GateSettings } from '../../src/gate/settings.ts';
import { createToolClassifier } from '../../src/gate/tool-effects.ts';
import { ChatPrompter } from '../../src/prompt/chat-prompter.ts';
import { grantsInMemory } from './memory-grants.ts';
import { ANA, SESSION } from './requests.ts';
import { gatewaysStoreInMemory, verify } from './verdict-keys.ts';

const CARD = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: '1.1', thread: '1.0' } as const;

/** How long a proposal stays open on this stage. */
export const WAIT_MS = 300_000;

export interface StageOptions {
  readonly settings?: Partial<GateSettings>;
  readonly terms?: GrantTerms;
  /** Instead of the chat. */
  readonly prompter?: Pick<Prompter, 'propose'>;
  /** In place of the memory store of grants, or around it. */
  readonly around?: (grants: GrantStore) => GrantStore;
  readonly classify?: (workspace: string, settings: GateSettings) => ClassifyCall;
  readonly outlived?: boolean;
}

/** A gate with a workspace on disk, over a chat prompter, memory stores and a clock that stands still. */
export async function gateStage(options: StageOptions = {}) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'hr-gate-')));
  const made = gatewaysStoreInMemory();
  const { store, clock, log } = made;
  const kept = grantsInMemory(clock);
  const grants = options.around?.(kept.grants) ?? kept.grants;
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const chat = await ChatPrompter.start({
    store,
    ownerId: 'owner-1',
    session: { ...SESSION, workspace },
    clock,
    newId,
    log,
    verify,
    waitMs: WAIT_MS,
    grants: options.terms ?? { waitMs: WAIT_MS },
    surfaces: 1,
  });
  const events: GateEvent[] = [];
  const settings = { ...DEFAULT_GATE, ...options.settings };
  const gate = new WriteGate({
    prompter: options.prompter ?? chat,
    grants,
    vouch: createVouch(store, verify),
    classify: options.classify?.(workspace, settings) ?? createToolClassifier(settings, workspace),
    settings,
    workspace,
    ownerId: 'owner-1',
    outlived: options.outlived ?? false,
    clock,
    newId,
    events: { emit: (event) => events.push(event) },
    log,
  });

  /** The proposals that are open, oldest first; waits until there are so many. */
  const cards = async (count: number): Promise<RequestRecord[]> => {
    const open = async () => (await store.listUnfinished()).filter(({ status }) => status === 'open');
    await expect.poll(async () => (await open()).length, { timeout: 20_000, interval: 5 }).toBe(count);
    const found = await open();
    for (const { requestId, cards: posted } of found) {
      if (posted.length === 0) await store.recordCard(requestId, { ...CARD, message: requestId });
    }
    return found;
  };
  const decide = async (requestId: string, decision: Decision, actor = ANA) => {
    const { code } = await store.claim(requestId, { decision, actor, interactionId: `click on ${requestId}` });
    expect(code).toBe('done');
  };
  const check = (call: ToolCall, facts: Partial<CallFacts> = {}, signal = new AbortController().signal) =>
    gate.check(call, { cwd: workspace, sessionId: 'session-1', turnId: 'turn-1', ...facts }, { signal });
  /** Checks, decides on the card that appears, and tells that the agent has the answer. */
  const decided = async (call: ToolCall, decision: Decision, facts: Partial<CallFacts> = {}): Promise<GateDecision> => {
    const checking = check(call, facts);
    const [card] = await cards(1);
    await decide(card?.requestId ?? '', decision);
    return arrived(checking);
  };

  return {
    gate,
    workspace,
    store,
    clock,
    log,
    grants: kept.grants,
    grantRows: kept.rows,
    kept,
    events,
    check,
    cards,
    decide,
    decided,
    path: (name: string) => join(workspace, name),
    write(name: string, content = 'one\n') {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), content);
    },
    noCardIsOpen: async () => expect(await store.listUnfinished()).toEqual([]),
    active: async (): Promise<readonly Grant[]> => kept.grants.listActive(),
    async stop() {
      await gate.stop();
      chat.stop();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}
export type GateStage = Awaited<ReturnType<typeof gateStage>>;

/** Opens stages that end with the test that opened them. To be called once, outside tests. */
export function stagesPerTest(): (options?: StageOptions) => Promise<GateStage> {
  const stages: GateStage[] = [];
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage.stop();
  });
  return async (options = {}) => {
    const stage = await gateStage(options);
    stages.push(stage);
    return stage;
  };
}

/** The decision once the agent has it. */
export async function arrived(checking: Promise<GateDecision>): Promise<GateDecision> {
  const decision = await checking;
  await decision.delivered();
  return decision;
}

export function proposalIn(record: RequestRecord | undefined): Proposal {
  if (record?.kind !== 'proposal') throw new Error('no record of a proposal');
  return record.view.proposal;
}

export function bash(command: string, more: Readonly<Record<string, unknown>> = {}): ToolCall {
  return { tool: 'Bash', input: { command, ...more } };
}

export function writing(path: string, content = 'new\n'): ToolCall {
  return { tool: 'Write', input: { file_path: path, content } };
}

export const grant = (scope: Grant['scope']): Decision => ({ kind: 'granted', scope });
export const DENY: Decision = { kind: 'denied' };
