import { durationInWords } from '../../src/core/duration.ts';
import type { Card } from '../../src/core/ports/surface-adapter.ts';
import { factsOf, headlineOfState, placeOf, subjectOf, wantedTag } from '../../src/prompt/card-words.ts';
import type { Headline } from '../../src/prompt/headline.ts';
import { moment } from './components.ts';
import type { Draft } from './draft.ts';
import { doneCount } from './draft.ts';
import { escaped } from './escape.ts';
import { shownLine } from './fit.ts';
import { OURS } from './limits.ts';

const ICONS: Readonly<Record<Headline['icon'], string>> = {
  answered: '✅',
  partially_answered: '☑️',
  skipped: '➡️',
  declined: '🤖',
  granted: '✅',
  denied: '⛔',
  timed_out: '⏰',
  cancelled: '🚫',
  superseded: '🔄',
  owner_lost: '👻',
  no_channel: '💤',
  undeliverable: '⚠️',
  indeterminate: '❔',
  recorded: '⏳',
};

/** Left edge of a card, by what became of it: still wanted, decided, over without an answer. */
export function accentOf(icon: Headline['icon'] | 'open'): number {
  if (icon === 'open') return 0x58_65_f2;
  return DECIDED.has(icon) ? 0x24_80_46 : 0x80_84_8e;
}

const DECIDED: ReadonlySet<Headline['icon'] | 'open'> = new Set([
  'answered',
  'partially_answered',
  'skipped',
  'declined',
  'granted',
  'denied',
]);

/** The line that says what became of a request. */
export function headlineText({ icon, state, meaning, by }: Headline, at: number): string {
  const who = by === undefined ? '' : ` · by ${escaped(by)}`;
  return `${ICONS[icon]} **${state}**${escaped(meaning)}${who} · ${moment(at)}`;
}

/** What a lock screen shows: what is wanted or what became of it, in our words. Escaped, one line. */
export function summaryOf(card: Card, limit: number): string {
  const { view } = card;
  const headline = headlineOfState(card);
  const by = headline?.by === undefined ? '' : ` by ${headline.by}`;
  return shownLine(`[${headline?.tag ?? wantedTag(view)}${by}] ${subjectOf(view)} in ${placeOf(view.session)}`, limit);
}

/** First of all on an open card, in small print: who asks, from where, until when. */
export function factsLine({ view }: Card, deadline: number): string {
  return `-# ${shownLine(factsOf(view), FACTS)} · answer by ${moment(deadline)} (${moment(deadline, 'R')})`;
}

export function factsOnly({ view }: Card): string {
  return `-# ${shownLine(factsOf(view), FACTS)}`;
}

/** Who works on the draft, and how far it is. */
export function draftLine(draft: Draft): string {
  const done = `${doneCount(draft)}/${draft.entries.length}`;
  const idle = durationInWords(OURS.idleMs);
  return `✍️ **${shownLine(draft.holder.name, 80)}** is answering ${escaped(done)} · others may go on when nothing happens for ${idle}`;
}

const FACTS = 400;
