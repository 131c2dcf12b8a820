import { describe, expect, it } from 'vitest';
import type { Actor, Standing } from '../../../src/core/actor.ts';
import type { OperatorRule } from '../../../src/core/policy/people.ts';
import { type Inbox, SurfaceError } from '../../../src/core/ports/surface-adapter.ts';
import type { CardRef } from '../../../src/core/request.ts';
import { createInbox } from '../../../src/gateway/inbox.ts';
import { storeInMemory } from '../../support/memory-store.ts';
import { ANA, BEN, batchOf, question, requestOf, SESSION } from '../../support/requests.ts';

const EVERYTHING = async (channels: readonly string[]) => new Set(channels);

/** Requests r1, r2, … of sessions of their own, each with a card in Slack's channel C1. */
async function setUp(count: number, rules: Readonly<Record<string, OperatorRule | null>> = {}) {
  const made = storeInMemory();
  const inbox = createInbox({
    adapters: [],
    ...made,
    route: ({ sessionId }) => {
      const operators = rules[sessionId] === undefined ? '*' : rules[sessionId];
      return operators === null ? undefined : { places: [], operators };
    },
  });
  const ask = async (name: string, card: Partial<CardRef> | null = {}, sessionId = name) => {
    const batch = batchOf(question(`Which, ${name}?`, ['A', 'B']));
    const session = { ...SESSION, sessionId };
    await made.store.open({ ...requestOf(name, batch), session });
    if (card !== null) await made.store.recordCard(name, { ...CARD, message: name, ...card });
    made.clock.advance(1);
  };
  for (let number = 1; number <= count; number += 1) await ask(`r${number}`);
  const of = async (actor: Actor, most = 10, seen = EVERYTHING) => inbox({ actor, most, seen });
  return Object.assign(made, { ask, of });
}

const CARD: CardRef = { platform: 'slack', workspaceId: 'T1', channel: 'C1', message: 'm', thread: 't' };

function idsIn(inbox: Inbox): readonly string[] | string {
  return 'refused' in inbox ? inbox.refused : inbox.entries.map(({ view }) => view.requestId);
}

describe('what is open for somebody', () => {
  it('is listed oldest first, each with its card and its deadline', async () => {
    const { of } = await setUp(2);
    const inbox = await of(ANA);
    expect(idsIn(inbox)).toEqual(['r1', 'r2']);
    expect(inbox).toMatchObject({ entries: [{ card: { channel: 'C1', message: 'r1' } }, {}], more: 0 });
    expect('entries' in inbox && inbox.entries.map(({ deadline }) => deadline % 1_000)).toEqual([0, 1]);
  });

  it('ends where there is no more room, and says how many are left out', async () => {
    const { of } = await setUp(5);
    expect(await of(ANA, 3)).toMatchObject({ entries: [{}, {}, {}], more: 2 });
    expect(await of(ANA, 5)).toMatchObject({ more: 0 });
  });

  it('leaves out what policy would refuse at a click', async () => {
    const { of } = await setUp(3, { r1: { slackUsers: [BEN.userId] }, r2: null });
    expect(idsIn(await of(ANA))).toEqual(['r3']);
    expect(idsIn(await of(BEN))).toEqual(['r1', 'r3']);
  });

  it('leaves out what cannot be answered any more, or not yet', async () => {
    const { of, ask, store, clock } = await setUp(2);
    await ask('queued', {}, 'r2');
    const decision = { kind: 'answers', sheet: [{ status: 'answered', labels: ['A'] }] } as const;
    await store.claim('r1', { decision, actor: BEN, interactionId: 'i' });
    expect(idsIn(await of(ANA))).toEqual(['r2']);
    clock.advance(300_000);
    expect(idsIn(await of(ANA))).toEqual([]);
  });

  it('leaves out what has no card in the person’s own workspace', async () => {
    const { of, ask } = await setUp(0);
    await ask('nowhere', null);
    await ask('elsewhere', { workspaceId: 'T2' });
    await ask('on Discord', { platform: 'discord' });
    expect(idsIn(await of(ANA))).toEqual([]);
    expect(idsIn(await of({ ...ANA, platform: 'discord' }))).toEqual(['on Discord']);
  });

  it('leaves out, before it counts, what its channel keeps from the person, whoever is listed', async () => {
    const { of, ask } = await setUp(2, { secret: { slackUsers: [ANA.userId] } });
    await ask('secret', { channel: 'C2' });
    const asked: (readonly string[])[] = [];
    const onlyC1 = async (channels: readonly string[]) => {
      asked.push(channels);
      return new Set(['C1']);
    };
    const inbox = await of(ANA, 2, onlyC1);
    expect(inbox).toMatchObject({ more: 0 });
    expect(idsIn(inbox)).toEqual(['r1', 'r2']);
    expect(asked).toEqual([['C1', 'C2']]);
  });

  it.each<[Exclude<Standing, 'member'>, RegExp]>([
    ['guest', /Guests may not/],
    ['stranger', /Only members of this workspace/],
    ['bot', /A bot may not/],
    ['deactivated', /deactivated/],
    ['unverified', /could not check who you are/],
  ])('is a plain sentence for a %s', async (standing, sentence) => {
    const { of } = await setUp(1);
    expect(idsIn(await of({ ...ANA, standing }))).toMatch(sentence);
  });

  it('is a sentence, and a line in the log, when it cannot be found out', async () => {
    const { of, log } = await setUp(1);
    const unreachable = () => Promise.reject(new SurfaceError('no answer', { platformCode: 'timeout' }));
    const forbidden = () =>
      Promise.reject(
        new SurfaceError('no scope', { platformCode: 'missing_scope', permanent: true, hint: 'Add the scope.' }),
      );
    expect(idsIn(await of(ANA, 1, unreachable))).toMatch(/cannot look up .* try again/);
    expect(idsIn(await of(ANA, 1, forbidden))).toMatch(/lacks a permission/);
    expect(JSON.stringify(log.lines)).toContain('Add the scope.');
  });
});
