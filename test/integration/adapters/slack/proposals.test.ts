import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { everyMessage } from '../../../support/embedded-slack.ts';
import { writeOf } from '../../../support/proposals.ts';
import { openProposal } from '../../../support/recording-host.ts';
import { SESSION } from '../../../support/requests.ts';
import { openStage } from './stage.ts';

type Stage = Awaited<ReturnType<typeof openStage>>;

const HUGE = writeOf({ full: { kind: 'command', text: `${'echo "ä"\n'.repeat(11_100)}rm last` } });

describe('a step that is longer than a modal holds', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    const card = openProposal(HUGE);
    stage.host.cards.set('request-1', card);
    const thread = await stage.adapter.openThread(stage.place, SESSION);
    await stage.adapter.post(stage.place, thread, card);
  });
  it('is put into the thread as one file, whoever reviews it, and the modal names it by its hash', async () => {
    for (let round = 0; round < 2; round += 1) {
      const modal = await review('Allow');
      const [file, another] = files();
      expect(another).toBeUndefined();
      expect(file?.content).toContain('rm last');
      const hash = createHash('sha256').update(String(file?.content)).digest('hex');
      expect(JSON.stringify(modal)).toContain(`SHA-256 ${hash}`);
      expect(JSON.stringify(modal)).toContain(file?.name);
      stage.slack.user(stage.ana).closeModal();
    }
  });

  it('cannot be allowed when the file cannot be put there', async () => {
    stage.slack.faults.api('files.getUploadURLExternal', { kind: 'status', status: 503 });
    const modal = await review(undefined);
    expect(JSON.stringify(modal)).toContain('cannot be allowed here');
    expect(files()).toEqual([]);
  });

  async function review(submit: string | undefined) {
    const { slack, ana, channel } = stage;
    await slack.user(ana).click({ channel, label: 'Review…' }).settled;
    return slack.until(ana, channel, (screen) =>
      screen.modals.find((one) => one.submit === submit && !JSON.stringify(one).includes('One moment')),
    );
  }

  function files() {
    const { slack, ana, channel } = stage;
    return everyMessage(slack.screen(ana, channel).messages).flatMap(({ files: attached }) => attached);
  }
});
