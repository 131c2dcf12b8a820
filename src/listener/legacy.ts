import { replyToModel } from '../core/outcomes.ts';
import { type AskDeps, answersOf, type Channel, putToPeople, readQuestions, report } from './ask.ts';

/**
 * Serves one ask of the older wire: `{questions}` in, `{answers}` or `{error}` out, no version and no ids, so answers
 * leave in the order of the questions. The peer confirms nothing: an answer counts as delivered once it was flushed to
 * the socket. Closing its connection is the only way in which such a peer withdraws.
 */
export async function serveLegacyAsk(frame: object, channel: Channel, deps: AskDeps): Promise<void> {
  const read = readQuestions(frame, 'history');
  if ('refusal' in read) {
    await channel.write({ error: read.refusal });
    return;
  }
  const id = deps.newId();
  const call = deps.registry.open(channel, id, { mayReturn: false });
  if (call === undefined) throw new Error('a fresh id was already in use');
  try {
    const put = await putToPeople(call, read.batch, deps, {});
    const answers = answersOf(read.batch, put.outcome)?.answers;
    if (!call.signal.aborted) {
      const written = channel.write(
        answers === undefined ? { error: replyToModel(read.batch, put.outcome).text } : { answers },
      );
      call.offer();
      void written.then((flushed) =>
        flushed ? call.confirm() : call.lose('the socket closed before the answer left'),
      );
    }
    await report(put, await call.fate, deps.log);
  } finally {
    deps.registry.end(channel, id);
  }
}
