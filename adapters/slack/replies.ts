import { sentenceOf } from '../../src/core/errors.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { type KnownBlock, richText, section, source } from './blocks.ts';
import { escaped } from './escape.ts';
import { fitted, shown } from './fit.ts';
import { SLACK } from './limits.ts';
import type { ResponseUrl } from './response-url.ts';
import type { SlackWeb } from './web-clients.ts';

/** Where somebody stands who is to be told something. */
export interface Whereabouts {
  readonly user: string;
  readonly channel?: string;
  /** Of the click, or of the click that opened the form. */
  readonly url?: ResponseUrl;
}

/** Tells one person in private; `typed` is text of theirs that would be lost otherwise. Never rejects. */
export type Tell = (where: Whereabouts, sentence: string, typed?: string) => Promise<void>;

/**
 * Private notices go to the channel, not into the thread: cards are broadcast, and whoever clicks one there does not see
 * the thread. The click's own response URL comes first, since it spends none of the app's rate limits; then
 * chat.postEphemeral.
 */
export function createTell(deps: { web: SlackWeb; log: Logger }): Tell {
  const { web, log } = deps;
  return async (where, sentence, typed) => {
    const { user, channel, url } = where;
    const content = noticeOf(sentence, typed);
    try {
      if (await url?.send({ response_type: 'ephemeral', replace_original: false, parse: 'none', ...content })) return;
    } catch (error) {
      log.debug({ user, reason: sentenceOf(error) }, 'a response URL did not work; trying chat.postEphemeral');
    }
    if (channel === undefined) {
      log.warn({ user }, 'somebody could not be told in private: no channel is known');
      return;
    }
    try {
      await web.interactive('chat.postEphemeral', (client) =>
        client.chat.postEphemeral({ channel, user, parse: 'none', link_names: false, ...content }),
      );
    } catch (error) {
      log.warn({ user, channel, reason: sentenceOf(error) }, 'somebody could not be told in private');
    }
  };
}

function noticeOf(sentence: string, typed: string | undefined): { text: string; blocks: KnownBlock[] } {
  // Sentences hold people's names, which are theirs to choose.
  const told = shown(sentence, SLACK.text, { measure: 'escaped' });
  const text = escaped(told);
  if (typed === undefined) return { text, blocks: [section(told)] };
  const kept = fitted(typed, SLACK.text);
  return { text, blocks: [section(told), section('What you wrote, to use again:'), richText(source(kept))] };
}

/** What the adapter itself has to tell people. The rest is worded by the gateway. */
export const SENTENCES = Object.freeze({
  older: 'This card is from an older version of handraise, so its buttons do nothing any more; nothing was recorded.',
  foreign: 'This button does not belong to a question of handraise, so nothing was recorded.',
  again: 'The form could not be opened in time, and nothing was recorded. Please click again.',
  failed: 'Something went wrong on our side. Look at the card: if it still has its buttons, please click again.',
  loading: 'One moment…',
  olderForm: 'This form is from an older version of handraise. Close it and click the card again.',
});
