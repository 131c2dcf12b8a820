import { join } from 'node:path';
import { sentenceOf } from '../../core/errors.ts';
import type { SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import { settleAbandoned } from '../../gateway/recover.ts';
import { nameOfToken } from '../../gateway/token-lock.ts';
import { readAbandonedCards, removeJournal } from '../../store/card-journal-file.ts';
import { bounded } from './bounded.ts';
import type { Examination } from './examination.ts';
import { failed, ok, warn } from './finding.ts';

/** However many there are; what is left then, the next run settles. */
const SETTLING_MS = 30_000;

/** Settles what killed runs left in channels. The caller holds the token's lock. */
export async function settleCards(
  { stateDirectory, newId, clock, log, signal, report }: Examination,
  examiner: SurfaceExaminer,
  token: string,
): Promise<void> {
  const leaving = new AbortController();
  try {
    const journals = readAbandonedCards(join(stateDirectory, 'journal', nameOfToken(token)), newId());
    let [settled, left] = [0, 0];
    const settling = (async () => {
      for (const { file, cards } of journals) {
        const rest = await settleAbandoned(cards, [examiner], log, leaving.signal);
        settled += cards.length - rest.length;
        left += rest.length;
        if (rest.length === 0) removeJournal(file);
      }
    })();
    await bounded(clock, { ms: SETTLING_MS, what: 'Settling cards of killed runs', signal }, settling);
    if (settled > 0) report(ok('cards.abandoned', `${cardsOf(settled)} of killed runs were settled as "Agent gone".`));
    if (left > 0) {
      report(
        warn(
          'cards.abandoned',
          `${cardsOf(left)} of killed runs could not be settled.`,
          'The next run tries again; --verbose shows why. A channel the app has left has to be joined again.',
        ),
      );
    }
    if (settled + left === 0) report(ok('cards.abandoned', 'No killed run has left a card behind.'));
  } catch (thrown) {
    log.warn({ reason: sentenceOf(thrown) }, 'the cards of killed runs could not be looked at');
    report(failed('cards.abandoned', thrown, 'The next run tries again.'));
  } finally {
    leaving.abort();
  }
}

function cardsOf(count: number): string {
  return `${count} card${count === 1 ? '' : 's'}`;
}
