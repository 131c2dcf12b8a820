import { sentenceOf } from '../../src/core/errors.ts';
import type { ProposalView } from '../../src/core/request.ts';
import { type ProposalFile, proposalFile } from '../../src/prompt/proposal-file.ts';
import type { Click, Interactions } from './interactions.ts';

/**
 * Puts all of a proposal into the thread of its card, once, whoever reviews it. Undefined when that does not work: then
 * it cannot be allowed on Slack. Never rejects.
 */
export function uploadWhole(shared: Interactions, click: Click, view: ProposalView): Promise<ProposalFile | undefined> {
  const known = shared.uploads.get(view.requestId);
  if (known !== undefined) return known;
  const uploading = upload(shared, click, proposalFile(view));
  shared.uploads.set(view.requestId, uploading);
  void uploading.then((file) => {
    if (file === undefined) shared.uploads.delete(view.requestId);
  });
  return uploading;
}

async function upload(
  { web, log }: Interactions,
  { card, requestId }: Click,
  file: ProposalFile,
): Promise<ProposalFile | undefined> {
  if (card === undefined) return undefined;
  const { name, data, hash } = file;
  try {
    await web.bulk('files.uploadV2', (client) =>
      client.files.uploadV2({
        channel_id: card.channel,
        thread_ts: card.thread,
        filename: `${hash.slice(0, 8)}-${name}`,
        content: data,
      }),
    );
    return file;
  } catch (error) {
    log.warn({ requestId, reason: sentenceOf(error) }, 'a proposal could not be put into its thread as a file');
    return undefined;
  }
}
