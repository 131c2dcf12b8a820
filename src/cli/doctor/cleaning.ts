import { sentenceOf } from '../../core/errors.ts';
import type { SurfaceExaminer } from '../../core/ports/surface-examiner.ts';
import type { CardRef } from '../../core/request.ts';
import { bounded } from './bounded.ts';
import type { Examination } from './examination.ts';
import { warn } from './finding.ts';

const REMOVAL_MS = 8_000;

/** Deletes what the self-test posted, also after an interruption. What cannot be deleted is reported. */
export async function removeCards(
  { clock, log, report }: Pick<Examination, 'clock' | 'log' | 'report'>,
  examiner: SurfaceExaminer,
  refs: readonly CardRef[],
): Promise<void> {
  const never = new AbortController().signal;
  const removing = async () => {
    for (const ref of refs) await examiner.remove(ref);
  };
  try {
    await bounded(clock, { ms: REMOVAL_MS, what: 'Deleting the card of the self-test', signal: never }, removing());
  } catch (thrown) {
    log.warn({ reason: sentenceOf(thrown) }, 'a card of the self-test could not be deleted');
    const where = [...new Set(refs.map(({ channel }) => channel))].join(', ');
    report(
      warn('self-test.cleanup', `The self-test’s messages in ${where} could not be deleted.`, 'Delete them by hand.'),
    );
  }
}
