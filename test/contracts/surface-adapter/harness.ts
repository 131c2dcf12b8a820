import { afterEach } from 'vitest';
import type { Place, SurfaceAdapter } from '../../../src/core/ports/surface-adapter.ts';
import type { Proposal, Scope } from '../../../src/core/proposals/contract.ts';
import type { QuestionBatch } from '../../../src/core/questions/contract.ts';
import type { CardRef } from '../../../src/core/request.ts';
import { openCard, openProposal, type RecordingHost } from '../../support/recording-host.ts';
import { SESSION } from '../../support/requests.ts';

/** What a person does about one question; nothing at all means to skip it. */
export interface Deed {
  /** Indices of options. */
  readonly picks?: readonly number[];
  readonly other?: string;
  readonly notes?: string;
}

/** What a person sees of one card. */
export interface Seen {
  readonly text: string;
  /** How many controls can be pressed. */
  readonly controls: number;
}

/** One platform with an adapter on it and two people in a channel, as a person would use it. */
export interface SurfaceStage {
  readonly adapter: SurfaceAdapter;
  readonly host: RecordingHost;
  readonly place: Place;
  /** A place of the same platform that does not exist. */
  readonly nowhere: Place;
  see(ref: CardRef): Seen;
  /** Resolves when Ana sees the card so. */
  until(ref: CardRef, see: (card: Seen) => boolean): Promise<void>;
  /** Presses the button of one option. Only on cards that have them. */
  choose(ref: CardRef, option: number): Promise<void>;
  /** Presses a button with these words on it. */
  press(ref: CardRef, words: string): Promise<void>;
  /** Presses Other…, types and sends. */
  typeOther(ref: CardRef, text: string): Promise<void>;
  /** Answers every question in the way the platform offers for it, and sends. */
  fill(ref: CardRef, batch: QuestionBatch, deeds: readonly Deed[]): Promise<void>;
  /** Presses the button that grants this scope, and does the second step where there is one. */
  grant(ref: CardRef, scope: Scope): Promise<void>;
  /** Presses a button that asks once more, and leaves it at that. */
  backOut(ref: CardRef, scope: Scope): Promise<void>;
  /** Denies with a note. */
  denyWith(ref: CardRef, note: string): Promise<void>;
  /** Presses Review; resolves to all that is shown there, files included. */
  review(ref: CardRef): Promise<string>;
  /** Grants in what Review opened. */
  grantInReview(ref: CardRef, scope: Scope): Promise<void>;
  /** What Ana was told in private so far. */
  told(ref: CardRef): readonly string[];
  /** Mentions that took effect. */
  readonly mentions: readonly unknown[];
  /** Stops it; throws when a rule of the platform was broken. */
  close(): Promise<void>;
}

export type MakeStage = () => Promise<SurfaceStage>;

/** A fresh stage whenever a test asks for one, closed after it. */
export function stages(makeStage: MakeStage): () => Promise<SurfaceStage> {
  const opened: SurfaceStage[] = [];
  afterEach(async () => {
    for (const stage of opened.splice(0)) await stage.close();
  });
  return async () => {
    const stage = await makeStage();
    opened.push(stage);
    return stage;
  };
}

/** Posts an open card in its session's thread and lets the host know of it. */
export async function post(stage: SurfaceStage, batch: QuestionBatch, requestId = 'request-1'): Promise<CardRef> {
  const card = openCard(batch, requestId);
  stage.host.cards.set(requestId, card);
  const thread = await stage.adapter.openThread(stage.place, SESSION);
  return stage.adapter.post(stage.place, thread, card);
}

/** The same for a proposal. */
export async function postProposal(stage: SurfaceStage, proposal: Proposal): Promise<CardRef> {
  const card = openProposal(proposal);
  stage.host.cards.set(card.view.requestId, card);
  const thread = await stage.adapter.openThread(stage.place, SESSION);
  return stage.adapter.post(stage.place, thread, card);
}
