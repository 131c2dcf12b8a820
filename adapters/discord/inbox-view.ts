import type { Inbox, InboxEntry } from '../../src/core/ports/surface-adapter.ts';
import { factsOf, listedSubject } from '../../src/prompt/card-words.ts';
import { inboxHeading, moreInInbox } from '../../src/prompt/inbox-words.ts';
import { bytesOf, container, countOf, type Inner, link, moment, section, text, textLengthOf } from './components.ts';
import { escaped } from './escape.ts';
import { shownLine } from './fit.ts';
import { DISCORD, OURS } from './limits.ts';
import { urlOf } from './messages.ts';
import type { Payload } from './render.ts';

/** The answer to `/pending`: what is open for one person. */
export function renderInbox(inbox: Inbox): Payload {
  if ('refused' in inbox) return payloadOf([text(escaped(inbox.refused))]);
  for (const size of SIZES) {
    const payload = payloadOf(listOf(inbox, size));
    if (fits(payload)) return payload;
  }
  // The smallest always fits; should that ever be wrong, Discord is not to refuse the whole list.
  return payloadOf([text(escaped(inboxHeading(inbox.entries.length + inbox.more)))]);
}

/** Characters of the facts and of the question, of each entry. Largest first. */
const SIZES = [
  { facts: 200, subject: 280 },
  { facts: 120, subject: 140 },
  { facts: 70, subject: 60 },
] as const;

function listOf({ entries, more }: Exclude<Inbox, { refused: string }>, size: (typeof SIZES)[number]): Inner[] {
  return [
    text(`**${escaped(inboxHeading(entries.length + more, entries))}**`),
    ...entries.map((entry) => entryOf(entry, size)),
    ...(more === 0 ? [] : [text(`-# ${escaped(moreInInbox(more))}`)]),
  ];
}

/** The agent's words stand in a quote, so that they cannot pass for ours. */
function entryOf({ view, deadline, card }: InboxEntry, { facts, subject }: (typeof SIZES)[number]): Inner {
  const lines = [
    shownLine(factsOf(view), facts),
    `> ${shownLine(listedSubject(view), subject)}`,
    `-# answer by ${moment(deadline)} (${moment(deadline, 'R')})`,
  ];
  return section(lines.join('\n'), link('Open', urlOf(card)));
}

function payloadOf(inner: Inner[]): Payload {
  return { components: [container(inner)], files: [] };
}

function fits({ components }: Payload): boolean {
  return (
    countOf(components) <= DISCORD.components &&
    textLengthOf(components) <= OURS.cardText &&
    bytesOf(components) <= OURS.cardBytes
  );
}
