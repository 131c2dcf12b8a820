import type { Card } from '../../src/core/ports/surface-adapter.ts';
import { headlineOfState, placeOf, subjectOf, wantedTag } from '../../src/prompt/card-words.ts';
import type { Headline } from '../../src/prompt/headline.ts';
import { escaped } from './escape.ts';
import { fitted } from './fit.ts';
import { SLACK } from './limits.ts';

/** Names of Slack's emoji. */
export const EMOJI: Readonly<Record<Headline['icon'], string>> = {
  answered: 'white_check_mark',
  partially_answered: 'ballot_box_with_check',
  skipped: 'arrow_right',
  declined: 'robot_face',
  granted: 'white_check_mark',
  denied: 'no_entry',
  timed_out: 'alarm_clock',
  cancelled: 'no_entry_sign',
  superseded: 'arrows_counterclockwise',
  owner_lost: 'ghost',
  no_channel: 'zzz',
  undeliverable: 'warning',
  indeterminate: 'grey_question',
  recorded: 'hourglass_flowing_sand',
};

/** What a lock screen shows: what is wanted or what became of it, never the agent's text alone. Escaped, one line. */
export function fallbackOf(card: Card): string {
  const { view } = card;
  const headline = headlineOfState(card);
  const by = headline?.by === undefined ? '' : ` by ${headline.by}`;
  const text = `[${headline?.tag ?? wantedTag(view)}${by}] ${subjectOf(view)} in ${placeOf(view.session)}`;
  return escaped(fitted(text, SLACK.fallbackText, 'escaped'));
}
