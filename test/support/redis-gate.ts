import { expect } from 'vitest';
import { newRandomId } from '../../src/core/ids.ts';
import type { CallFacts, GateEvent, ToolCall } from '../../src/core/ports/gate.ts';
import type { Decision, RequestRecord } from '../../src/core/request.ts';
import { WriteGate } from '../../src/gate/gate.ts';
import { createVouch } from '../../src/gate/grants/vouch.ts';
import { DEFAULT_GATE, type GateSettings } from '../../src/gate/settings.ts';
import { createToolClassifier } from '../../src/gate/tool-effects.ts';
import { ChatPrompter } from '../../src/prompt/chat-prompter.ts';
import { openStore } from './redis-store.ts';
import { ANA, SESSION } from './requests.ts';
import { claimSigned, verify } from './verdict-keys.ts';
import { arrived } from './write-gate.ts';

const PATIENCE = { timeout: 20_000, interval: 10 };

export interface RedisOwnerOptions {
  readonly url: string;
  /** Real path. */
  readonly workspace: string;
  readonly settings?: Partial<GateSettings>;
  readonly commandMs?: number;
  /** Between the verdict and what is done by it. */
  readonly onVerdict?: () => Promise<void>;
}

/** One process with a gate of its own, over the same Redis as the others. */
export async function ownerOverRedis(options: RedisOwnerOptions) {
  const { url, workspace: here, commandMs = 1_000, onVerdict = async () => undefined } = options;
  const settings = { ...DEFAULT_GATE, ...options.settings };
  const { store, log } = await openStore(url, { commandMs });
  const ownerId = newRandomId();
  const prompter = await ChatPrompter.start({
    store,
    ownerId,
    session: { ...SESSION, workspace: here },
    clock: store.clock,
    newId: newRandomId,
    log,
    verify,
    waitMs: 300_000,
    grants: { waitMs: 300_000 },
    surfaces: 1,
  });
  const events: GateEvent[] = [];
  const gate = new WriteGate({
    prompter: {
      async propose(proposal, context) {
        const result = await prompter.propose(proposal, context);
        await onVerdict();
        return result;
      },
    },
    grants: store.grants,
    vouch: createVouch(store, verify),
    classify: createToolClassifier(settings, here),
    settings,
    workspace: here,
    ownerId,
    outlived: true,
    clock: store.clock,
    newId: newRandomId,
    events: { emit: (event) => events.push(event) },
    log,
  });
  const close = async () => {
    prompter.stop();
    store.stop();
  };
  const check = (call: ToolCall, facts: Partial<CallFacts> = {}) =>
    gate.check(
      call,
      { cwd: here, sessionId: 'session-1', turnId: 'turn-1', ...facts },
      { signal: new AbortController().signal },
    );
  const cards = async (count: number): Promise<readonly RequestRecord[]> => {
    const open = async () => (await store.listUnfinished()).filter(({ status }) => status === 'open');
    await expect.poll(async () => (await open()).length, PATIENCE).toBe(count);
    const found = await open();
    for (const { requestId } of found) {
      const card = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: requestId, thread: '1.0' } as const;
      await store.recordCard(requestId, card);
    }
    return found;
  };
  const decide = async (record: RequestRecord | undefined, decision: Decision) => {
    const requestId = record?.requestId ?? 'none';
    const { code } = await claimSigned(store, requestId, { decision, actor: ANA, interactionId: `on ${requestId}` });
    expect(code).toBe('done');
  };
  const decided = async (call: ToolCall, decision: Decision, facts: Partial<CallFacts> = {}) => {
    const checking = check(call, facts);
    await decide((await cards(1))[0], decision);
    return arrived(checking);
  };
  return { store, gate, events, check, cards, decide, decided, close };
}
