import type { HomeView } from '@slack/types';
import type { Inbox, InboxEntry } from '../../src/core/ports/surface-adapter.ts';
import type { CardRef } from '../../src/core/request.ts';
import { factsOf, listedSubject } from '../../src/prompt/card-words.ts';
import { inboxHeading, moreInInbox } from '../../src/prompt/inbox-words.ts';
import {
  actions,
  bold,
  button,
  context,
  type KnownBlock,
  line,
  linkButton,
  localTime,
  ourMarkup,
  plain,
  quote,
  richText,
  section,
  words,
} from './blocks.ts';
import { fitted } from './fit.ts';
import { SLACK } from './limits.ts';
import { HOME } from './parse.ts';

/** The Home tab: what is open for one person, at the moment `now`. `webUrl` is the workspace's address. */
export function renderInbox(inbox: Inbox, webUrl: string, now: number): HomeView {
  return {
    type: 'home',
    blocks: [
      ...('refused' in inbox ? [section(inbox.refused)] : listOf(inbox, webUrl)),
      context(ourMarkup(`As of ${localTime(now)}`)),
      actions(button('Refresh', HOME.refresh, 'refresh')),
    ],
  };
}

function listOf({ entries, more }: Exclude<Inbox, { refused: string }>, webUrl: string): KnownBlock[] {
  return [
    richText(line(bold(inboxHeading(entries.length + more, entries)))),
    ...entries.flatMap((entry) => entryBlocks(entry, webUrl)),
    ...(more === 0 ? [] : [context(plain(moreInInbox(more)))]),
  ];
}

/** The agent's words stand in a quote, so that they cannot pass for ours. */
function entryBlocks({ view, deadline, card }: InboxEntry, webUrl: string): KnownBlock[] {
  const facts = fitted(factsOf(view), SLACK.text, 'escaped');
  return [
    section(facts, linkButton('Open the card', HOME.open, permalinkOf(card, webUrl))),
    richText(quote(words(listedSubject(view)))),
    context(ourMarkup(`Answer by ${localTime(deadline)}`)),
  ];
}

/** As chat.getPermalink makes it for a reply, without asking once a card. */
function permalinkOf({ channel, message, thread }: CardRef, webUrl: string): string {
  const url = new URL(`archives/${encodeURIComponent(channel)}/p${message.replace('.', '')}`, webUrl);
  url.searchParams.set('thread_ts', thread);
  url.searchParams.set('cid', channel);
  return url.href;
}
